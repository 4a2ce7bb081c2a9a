"""The pages of a forum."""

from webgym_hermetic.families.forum.pages import account, compose, front, help_desk, meet, people, post, search, thread

__all__ = ["account", "compose", "front", "help_desk", "meet", "people", "post", "search", "thread"]
