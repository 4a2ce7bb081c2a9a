"""Webmail: one person's messages, contacts, calendar and settings."""

from webgym_hermetic.families.mail import pages
from webgym_hermetic.families.mail.family import FAMILY

__all__ = ["FAMILY", "pages"]
