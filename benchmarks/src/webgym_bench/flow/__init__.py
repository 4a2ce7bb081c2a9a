"""Synchronous against asynchronous training of one recipe: real processes, with model and page latencies simulated."""
