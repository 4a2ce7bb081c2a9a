"""Lessons for the nano model: decisions of oracles on hermetic sites, and questions answered by the DOM."""
