"""Shops: a catalogue with near misses, a cart, checkout, an account."""

from webgym.sites.families.shop import pages
from webgym.sites.families.shop.family import FAMILY

__all__ = ["FAMILY", "pages"]
