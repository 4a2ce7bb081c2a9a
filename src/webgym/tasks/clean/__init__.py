"""Cleaning: duplicates, dates that expire, and tasks that nobody should attempt."""
