"""Losses: each returns the loss of every token. Whatever they have in common is applied by the trainer."""
