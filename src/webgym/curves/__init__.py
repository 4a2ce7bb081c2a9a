"""How learning goes, as people look at it: a file, a live page, a report, and what other tools read."""
