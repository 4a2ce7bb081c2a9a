"""Inference servers against the model they should serve."""
