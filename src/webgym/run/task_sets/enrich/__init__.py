"""Enrichment: missing websites, domains and rubrics, filled in by a model."""
