"""Oracles: policies with privileged access to the site's state, which act through the same interface as agents."""
