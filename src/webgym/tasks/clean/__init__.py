"""Cleaning: duplicates, expiring dates, and tasks that should not be attempted."""
