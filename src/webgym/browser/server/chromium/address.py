"""Normalisation of URLs as agents write them."""

from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

from webgym.records.observation import ActionFailure, FailedReason

BLANK = "about:blank"
MOST_CHARACTERS = 8192

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_HOST_AND_PORT = re.compile(r"[^/?#@:\s]+:\d{1,5}([/?#]|$)")


def clean(written: str) -> str | ActionFailure:
    """Return a valid http or https URL, or why it is not one. A bare host gets a scheme, as in an address bar."""
    url = "".join(written.split("\n")).strip()
    if url == BLANK:
        return url
    if not url or len(url) > MOST_CHARACTERS or any(ord(character) < 0x20 for character in url):
        return _invalid(f"not an address: {url[:100]!r}")
    try:
        return _checked(_with_scheme(url))
    except ValueError as error:  # brackets without an IPv6 address, a non-numeric port
        return _invalid(f"{error}: {url[:100]!r}")


def _with_scheme(url: str) -> str:
    if url.startswith("//"):
        return f"https:{url}"
    if not _SCHEME.match(url) or _HOST_AND_PORT.match(url):
        return f"{_scheme_for(url)}://{url}"
    return url


def _checked(url: str) -> str | ActionFailure:
    parts = urlsplit(url)
    host, _ = parts.hostname, parts.port
    if parts.scheme.lower() not in ("http", "https"):
        return _invalid(f"only http and https addresses can be opened, not {parts.scheme}:")
    if not host or re.search(r"[\s<>\\^`{|}]", host):
        return _invalid(f"no host in {url[:100]!r}")
    return url


def _scheme_for(url: str) -> str:
    """Default to https for names, and to http for localhost and IP addresses, which mostly lack certificates."""
    host = urlsplit(f"//{url}").hostname or ""
    if host == "localhost" or host.endswith(".localhost"):
        return "http"
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return "https"
    return "http"


def _invalid(detail: str) -> ActionFailure:
    return ActionFailure(FailedReason.INVALID_URL, detail)
