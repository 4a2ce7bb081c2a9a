"""Nano learns from lessons: what is read off a page, and what an oracle would do there."""
