"""The live monitor of runs."""
