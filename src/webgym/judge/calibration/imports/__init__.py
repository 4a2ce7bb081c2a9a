"""Importers of human-labelled attempts from public benchmarks, stored as runs with labels."""
