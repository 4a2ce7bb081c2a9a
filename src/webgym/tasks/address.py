"""Validation and normalization of website URLs."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

from webgym.tasks.problem import BadEntry

_LABEL = re.compile(r"(?!-)[\w-]{1,63}(?<!-)\Z")
_SCHEME = re.compile(r"https?://", re.IGNORECASE)
LONGEST = 4096


def as_url(given: str) -> str:
    """Return the address as a URL: `https://` is added if there is no scheme; empty stays empty.

    Raises:
        BadEntry: It is not a website's address.
    """
    text = given.strip()
    if not text:
        return ""
    url = text if _SCHEME.match(text) else f"https://{text}"
    if len(url) > LONGEST or re.search(r"[\s\x00-\x1f\\]", url) or not is_host(host_of(url)):
        raise BadEntry(f"{_short(given)!r} is no address of a website")
    return url


def host_of(url: str) -> str:
    """Return the host in lower case, without user, port and trailing dot; empty if there is none."""
    try:
        host = urlsplit(url).hostname or ""
    except ValueError:
        return ""
    return host.rstrip(".").lower()


def is_host(host: str) -> bool:
    """Whether a browser could request it: an IP address, a name of several labels, or `localhost`."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        labels = host.split(".")
        named = len(labels) > 1 or host == "localhost"
        return named and len(host) <= 253 and all(map(_LABEL.match, labels)) and not labels[-1].isdigit()
    return True


def _short(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
