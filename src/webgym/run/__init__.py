"""Rollout and evaluation runs: from a configuration to a folder of stored trajectories."""
