"""Online shops: a catalogue of easily confused products, a cart, checkout and an account."""

from webgym_hermetic.families.shop import pages
from webgym_hermetic.families.shop.family import FAMILY

__all__ = ["FAMILY", "pages"]
