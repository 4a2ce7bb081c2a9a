"""Runs on disk: append-only, crash-safe."""
