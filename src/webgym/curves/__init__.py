"""Learning curves: a file, a live page, a report, and export to other tools."""
