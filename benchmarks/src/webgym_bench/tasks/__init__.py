"""Time and memory to load, split, clean and sample task sets of realistic size."""
