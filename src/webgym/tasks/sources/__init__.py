"""Importers of public benchmarks, each reading its source's own format."""
