"""Goals on news and documentation sites."""
