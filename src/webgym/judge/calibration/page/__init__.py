"""The calibration report: one self-contained HTML file without scripts or network requests."""
