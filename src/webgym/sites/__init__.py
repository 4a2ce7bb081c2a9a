"""The hermetic websites: generated, deterministic, offline; their tasks, oracles and exact verdicts."""
