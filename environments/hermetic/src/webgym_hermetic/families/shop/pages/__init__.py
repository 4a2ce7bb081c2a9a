"""The pages of a shop. Importing a module registers its pages."""

from webgym_hermetic.families.shop.pages import account, browse, cart, checkout, forms, lists, orders, product, service

__all__ = ["account", "browse", "cart", "checkout", "forms", "lists", "orders", "product", "service"]
