"""Whether a page is of the website that a task is about. What another website says of it is no evidence."""

from __future__ import annotations

import unicodedata
from urllib.parse import urlsplit

_SECOND_LEVEL = frozenset({"ac", "co", "com", "edu", "go", "ne", "net", "or", "org"})
"""Below a country: the name of bbc.co.uk is bbc."""
_SEARCH = frozenset({"baidu", "bing", "brave", "duckduckgo", "ecosia", "google", "kagi", "qwant", "yahoo", "yandex"})
"""A task that starts here may lead anywhere."""


def is_elsewhere(url: str, website: str) -> bool:
    """Whether this address is of another website than the task's, as far as names tell.

    Other hosts, countries and subdomains of the same name are the same website: shop.acme.de is acme.com. All of a
    country's government is one: its services have hosts of their own, and gov.au is not gov.uk.
    """
    page, task = _name(url), _name(website if "//" in website else f"https://{website}")
    return bool(page and task) and page != task and task not in _SEARCH


def _name(url: str) -> str:
    """What a website is called, without what stands before and behind; empty if there is none."""
    try:
        parts = urlsplit(url)
        host = _ascii(parts.hostname or "")
    except ValueError:
        return ""
    if parts.scheme not in {"http", "https"} or not host:
        return ""
    labels = host.rstrip(".").split(".")
    if labels[-1].isdigit() or ":" in host or len(labels) == 1:  # an address, or a name of one's own network
        return host
    if len(labels) > 2 and labels[0] == "www":
        del labels[0]
    if len(labels[-1]) == 2 and labels[-2] == "gov":
        return ".".join(labels[-2:])
    if len(labels) > 2 and len(labels[-1]) == 2 and labels[-2] in _SECOND_LEVEL:
        return labels[-3]
    return labels[-2]


def _ascii(host: str) -> str:
    """As browsers report it. Python's own `idna` is an older one, which makes strasse.de of straße.de."""
    labels = unicodedata.normalize("NFKC", host).lower().split(".")
    return ".".join(one if one.isascii() else f"xn--{one.encode('punycode').decode()}" for one in labels)
