"""Prompt texts: one folder per version. A released version never changes."""
