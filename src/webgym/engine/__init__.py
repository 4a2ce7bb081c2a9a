"""Inference in a process of one's own: continuous batching for small models and single GPUs."""
