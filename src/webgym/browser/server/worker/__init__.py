"""One process that holds sessions for its node: it knows only the Browser and Session protocols."""
