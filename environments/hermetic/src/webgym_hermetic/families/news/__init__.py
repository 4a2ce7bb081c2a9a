"""News and documentation sites."""

from webgym_hermetic.families.news import pages
from webgym_hermetic.families.news.family import FAMILY

__all__ = ["FAMILY", "pages"]
