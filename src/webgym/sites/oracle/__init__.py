"""Oracles: policies that know the site, decide from any state, and act as an agent would."""
