"""The families of websites that ship with the package."""

from __future__ import annotations

import importlib
from functools import cache

from webgym.errors import SiteUnknown
from webgym_hermetic.family import Family

FAMILIES = ("shop", "travel", "forum", "mail", "tracker", "news")


@cache
def family(name: str) -> Family:
    """Return a family by name, importing it on first use.

    Raises:
        SiteUnknown: There is no such family.
    """
    if name not in FAMILIES:
        raise SiteUnknown(f"there is no family {name!r}; the families are {', '.join(FAMILIES)}")
    return importlib.import_module(f"webgym_hermetic.families.{name}").FAMILY
