"""Turns groups of trajectories into batches of weighted samples."""
