"""Subtasks with their own instructions: from templates for hermetic tasks, written by a model for others."""
