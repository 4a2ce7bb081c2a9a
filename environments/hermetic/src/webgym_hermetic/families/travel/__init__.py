"""Travel booking sites: hotels, departures and the management of bookings."""

from __future__ import annotations

from webgym_hermetic.families.travel import pages
from webgym_hermetic.families.travel.family import FAMILY

__all__ = ["FAMILY", "pages"]
