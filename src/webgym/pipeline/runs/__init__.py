"""Rollouts and evaluations: from a configuration to a folder of stored trajectories."""
