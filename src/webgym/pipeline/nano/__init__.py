"""Lessons for nano: what oracles would do on hermetic sites, and what can be read off their pages."""
