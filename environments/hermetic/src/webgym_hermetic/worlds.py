"""LRU cache of the worlds of sites."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from webgym_hermetic.registry import family
from webgym_hermetic.site import Site

_KEPT = 512


def world_of(site: Site) -> Any:
    """Return the initial content of a site, generated on first use."""
    return _world(site.family, site)


@lru_cache(maxsize=_KEPT)
def _world(family_name: str, site: Site) -> Any:
    return family(family_name).world(site)
