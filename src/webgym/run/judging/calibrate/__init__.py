"""Calibration: judging labelled attempts and comparing the verdicts with ground truth."""
