"""Smaller tasks from the fact groups of larger ones."""
