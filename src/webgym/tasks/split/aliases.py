"""Aliases of websites: country domains, short domains, former names."""

from __future__ import annotations

import functools
import json
import re
from importlib.resources import files

from webgym.tasks.websites import has_known_suffix, label_of, site_of_host

_LAST = r"(?:xn--[a-z0-9-]{1,59}|[a-z]{2,24})"
_HOSTS = (
    # Letters of other scripts may be adjacent, in languages written without spaces.
    re.compile(rf"(?<![a-z0-9@.-])(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+{_LAST}(?![a-z0-9-])", re.IGNORECASE),
    re.compile(r"(?<![\w@.-])(?:[^\W_](?:[\w-]*[^\W_])?\.)+[^\W\d_]{2,24}(?![\w-])"),
)
"""ASCII hosts, and hosts written in native scripts."""


@functools.lru_cache(maxsize=400_000)
def owner_of(site: str) -> str:
    """Return one name for all sites that may be the same: `amazon` for amazon.com, amazon.co.uk and amzn.to.

    Sites that differ only in their public suffix are merged. Some are distinct websites; that costs a few training
    tasks, while the opposite error would leak test tasks.
    """
    known = _table().get(site, site)
    return label_of(known) or known


def owners_named(text: str) -> set[str]:
    """Return the owners of all websites whose host occurs in a text."""
    hosts = {host.lower() for shape in _HOSTS for host in shape.findall(text)}
    return {owner_of(site_of_host(host)) for host in hosts if has_known_suffix(host)}


@functools.cache
def _table() -> dict[str, str]:
    groups: list[list[str]] = json.loads((files("webgym.tasks.split") / "aliases.json").read_text("utf-8"))
    return {site: group[0] for group in groups for site in group}
