"""Asynchronous training: rollouts never wait for updates, updates never wait for stragglers."""
