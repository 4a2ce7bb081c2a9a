"""Observability: events, logs and metrics. Never blocks, never raises."""
