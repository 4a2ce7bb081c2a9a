"""Asynchronous training: rollouts that never wait for an update, updates that never wait for stragglers."""
