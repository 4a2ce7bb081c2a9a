"""Discussion forums: boards, threads, members, messages and meetups."""

from webgym.sites.families.forum import pages
from webgym.sites.families.forum.family import FAMILY

__all__ = ["FAMILY", "pages"]
