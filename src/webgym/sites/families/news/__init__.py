"""News sites and documentation sites with search."""

from webgym.sites.families.news import pages
from webgym.sites.families.news.family import FAMILY

__all__ = ["FAMILY", "pages"]
