"""From attempts to trajectories."""
