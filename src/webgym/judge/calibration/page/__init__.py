"""The report of a calibration: one file that shows everything, anywhere, without a network and without a script."""
