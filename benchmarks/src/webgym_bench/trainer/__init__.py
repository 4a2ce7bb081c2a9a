"""Throughput of the trainer against a plain padded training loop."""
