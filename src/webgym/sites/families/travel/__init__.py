"""Travel booking sites: stays, departures and everything around a booking."""

from __future__ import annotations

from webgym.sites.families.travel import pages
from webgym.sites.families.travel.family import FAMILY

__all__ = ["FAMILY", "pages"]
