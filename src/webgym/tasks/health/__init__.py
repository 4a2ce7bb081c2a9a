"""How tasks and websites fare, across runs."""
