"""The pages of a shop. Importing a module registers its pages."""

from webgym.sites.families.shop.pages import account, browse, cart, checkout, forms, help, lists, orders, product

__all__ = ["account", "browse", "cart", "checkout", "forms", "help", "lists", "orders", "product"]
