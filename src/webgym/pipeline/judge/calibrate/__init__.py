"""Calibration: labelled attempts, judged, and compared with truth."""
