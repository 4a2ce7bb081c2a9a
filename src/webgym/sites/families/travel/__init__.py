"""Travel booking sites: hotels, departures and the management of bookings."""

from __future__ import annotations

from webgym.sites.families.travel import pages
from webgym.sites.families.travel.family import FAMILY

__all__ = ["FAMILY", "pages"]
