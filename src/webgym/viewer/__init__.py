"""Stored trajectories as web pages."""
