"""The pages of news and documentation sites. Importing this registers them."""

from webgym_hermetic.families.news.pages import article, filled, front, listings, lists, tables

__all__ = ["article", "filled", "front", "listings", "lists", "tables"]
