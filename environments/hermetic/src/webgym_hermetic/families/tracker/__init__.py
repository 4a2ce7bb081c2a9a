"""Issue trackers of teams in various fields."""

from webgym_hermetic.families.tracker import pages
from webgym_hermetic.families.tracker.family import FAMILY

__all__ = ["FAMILY", "pages"]
