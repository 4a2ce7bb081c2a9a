"""Errands on news and documentation sites."""
