"""Websites, domains and rubrics of tasks that have none, filled in by a model."""
