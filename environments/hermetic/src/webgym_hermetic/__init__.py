"""Hermetic websites: generated, deterministic and offline, with their tasks, oracles and exact verifiers."""
