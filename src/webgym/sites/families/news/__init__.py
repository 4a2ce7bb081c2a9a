"""News and documentation sites."""

from webgym.sites.families.news import pages
from webgym.sites.families.news.family import FAMILY

__all__ = ["FAMILY", "pages"]
