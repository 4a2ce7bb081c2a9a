"""Judging stored runs, and calibrating judges against ground truth."""
