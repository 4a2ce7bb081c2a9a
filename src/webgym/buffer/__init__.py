"""Groups of trajectories to batches of weighted samples."""
