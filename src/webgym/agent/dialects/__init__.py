"""Dialects: how each family of models reads and writes actions. One file per family."""
