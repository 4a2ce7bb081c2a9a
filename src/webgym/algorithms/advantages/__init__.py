"""Advantage estimators: each compares the members of one group."""
