"""Whether a page belongs to the task's website. What other websites say is no evidence."""

from __future__ import annotations

import unicodedata
from urllib.parse import urlsplit

_SECOND_LEVEL = frozenset({"ac", "co", "com", "edu", "go", "ne", "net", "or", "org"})
"""Second-level labels under a country code: the name of bbc.co.uk is bbc."""
_SEARCH = frozenset({"baidu", "bing", "brave", "duckduckgo", "ecosia", "google", "kagi", "qwant", "yahoo", "yandex"})
"""Search engines: a task that starts at one may lead anywhere."""


def is_elsewhere(url: str, website: str) -> bool:
    """Whether this URL belongs to another website than the task's, judged by domain name.

    Country domains and subdomains of one name are one website: shop.acme.de is acme.com. A country's government is one
    website, as its services have separate hosts; gov.au is not gov.uk.
    """
    page, task = _name(url), _name(website if "//" in website else f"https://{website}")
    return bool(page and task) and page != task and task not in _SEARCH


def _name(url: str) -> str:
    """Return a website's name without subdomains and suffix; empty if there is none."""
    try:
        parts = urlsplit(url)
        host = _ascii(parts.hostname or "")
    except ValueError:
        return ""
    if parts.scheme not in {"http", "https"} or not host:
        return ""
    labels = host.rstrip(".").split(".")
    if labels[-1].isdigit() or ":" in host or len(labels) == 1:  # an IP address, or a host of a local network
        return host
    if len(labels) > 2 and labels[0] == "www":
        del labels[0]
    if len(labels[-1]) == 2 and labels[-2] == "gov":
        return ".".join(labels[-2:])
    if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL:
        return labels[-3]
    return labels[-2]


def _ascii(host: str) -> str:
    """Encode the host as browsers do. Python's `idna` codec is an older standard that maps straße.de to strasse.de."""
    labels = unicodedata.normalize("NFKC", host).lower().split(".")
    return ".".join(label if label.isascii() else f"xn--{label.encode('punycode').decode()}" for label in labels)
