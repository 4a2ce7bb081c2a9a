"""Append-only, crash-safe storage of runs."""
