"""How we know what happens: events, logs, metrics. Never blocks, never raises."""
