"""Webmail: one person's messages, contacts, calendar and settings."""

from webgym.sites.families.mail import pages
from webgym.sites.families.mail.family import FAMILY

__all__ = ["FAMILY", "pages"]
