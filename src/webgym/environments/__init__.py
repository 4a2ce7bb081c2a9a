"""Environments by name, and the one that needs nothing: live websites."""
