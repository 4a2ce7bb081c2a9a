"""What the family's sites answer."""

from webgym_hermetic.families.mail.pages import calendar, compose, contacts, folders, settings, threads

__all__ = ["calendar", "compose", "contacts", "folders", "settings", "threads"]
