"""The website of a URL: its registered domain, by the bundled public suffix list."""

from __future__ import annotations

import functools
import ipaddress
import unicodedata

from publicsuffixlist import PublicSuffixList

from webgym.tasks.address import host_of


def site_of(url: str) -> str:
    """Return the registered domain: `google.co.uk` for `https://maps.google.co.uk/x`; empty if there is no URL.

    An IP address is its own site, and so is each name below `localhost`, which is this machine. A public suffix can
    be a website too, with or without `www.`: `gov.uk`.
    """
    return site_of_host(host_of(url)) if url else ""


@functools.lru_cache(maxsize=200_000)
def site_of_host(host: str) -> str:
    """Return the registered domain of a host; see `site_of`."""
    if _is_ip(host):
        return host
    ascii_host = _ascii(host)
    labels = ascii_host.split(".")
    if labels[-1] == "localhost":
        return ".".join(labels[-2:])
    site = _suffixes().privatesuffix(ascii_host) or ascii_host
    bare = site.removeprefix("www.")
    if bare == site or "." not in bare:  # com is not a website, so www.com is one of its own
        return site
    return _suffixes().privatesuffix(bare) or bare


def label_of(site: str) -> str:
    """Return the name without its public suffix: `google` for `google.co.uk`. Empty if there is no such name."""
    if _is_ip(site) or site.endswith("localhost") or "." not in site:
        return ""
    suffix = _suffixes().publicsuffix(site) or ""
    return site.removesuffix(f".{suffix}") if suffix != site else ""


@functools.cache
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=True)


def _is_ip(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True


def has_known_suffix(host: str) -> bool:
    """Whether a host ends in a listed suffix, rather than in a word that merely follows a dot."""
    return _strict_suffixes().publicsuffix(_ascii(host)) is not None


def _ascii(host: str) -> str:
    """Encode the host as browsers do. Python's `idna` codec is an older standard that maps straße.de to strasse.de."""
    if host.isascii():
        return host
    labels = unicodedata.normalize("NFKC", host).lower().split(".")
    return ".".join(label if label.isascii() else f"xn--{label.encode('punycode').decode()}" for label in labels)


@functools.cache
def _strict_suffixes() -> PublicSuffixList:
    return PublicSuffixList(accept_unknown=False)
