"""The pages of trackers. Importing this registers all of them."""

from webgym_hermetic.families.tracker.pages import acts, create, home, issue, lists, people, personal, plans

__all__ = ["acts", "create", "home", "issue", "lists", "people", "personal", "plans"]
