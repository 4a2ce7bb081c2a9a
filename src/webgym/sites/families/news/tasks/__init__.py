"""Tasks on news and documentation sites."""
