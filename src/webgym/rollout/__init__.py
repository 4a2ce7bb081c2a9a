"""Rollouts: run attempts and record them as trajectories."""
