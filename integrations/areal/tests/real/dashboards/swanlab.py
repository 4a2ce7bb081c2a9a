"""Stands in for a dashboard that AReaL imports whether it is used or not: the real one brings hundreds of megabytes."""
