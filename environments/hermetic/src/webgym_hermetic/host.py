"""The hosts of the sites: names below `localhost`, which every resolver takes for this machine."""

from __future__ import annotations

from urllib.parse import urlsplit

ENDING = ".localhost"


def site_name_of(address: str) -> str:
    """Return the name of the hermetic site that an address is on, or "" if it is on none."""
    host = urlsplit(address).hostname or ""
    return host.removesuffix(ENDING) if host.endswith(ENDING) else ""
