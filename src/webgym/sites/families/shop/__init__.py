"""Online shops: a catalogue of easily confused products, a cart, checkout and an account."""

from webgym.sites.families.shop import pages
from webgym.sites.families.shop.family import FAMILY

__all__ = ["FAMILY", "pages"]
