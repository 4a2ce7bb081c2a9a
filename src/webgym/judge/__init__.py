"""Judging whether an attempt completed its task: rubric verdicts from a model, and calibration of those verdicts."""
