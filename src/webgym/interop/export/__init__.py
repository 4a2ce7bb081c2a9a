"""Exports of runs to common dataset and trajectory formats."""
