"""Discussion forums: boards, threads, members, messages and meetups."""

from webgym_hermetic.families.forum import pages
from webgym_hermetic.families.forum.family import FAMILY

__all__ = ["FAMILY", "pages"]
