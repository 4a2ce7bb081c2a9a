"""What every process of ours that serves HTTP has in common."""
