"""Judges put to work: on stored runs, and against truth."""
