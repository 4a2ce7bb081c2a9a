"""Runs in the formats of others."""
