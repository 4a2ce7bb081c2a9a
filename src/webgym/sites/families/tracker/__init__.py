"""Issue trackers of teams in various fields."""

from webgym.sites.families.tracker import pages
from webgym.sites.families.tracker.family import FAMILY

__all__ = ["FAMILY", "pages"]
