"""Importers: one file for each source, in the source's own format."""
