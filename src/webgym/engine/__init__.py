"""Inference engine in a child process: continuous batching for small models and single GPUs."""
