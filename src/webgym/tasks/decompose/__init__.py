"""Decomposition: subtasks from the fact groups of larger tasks."""
