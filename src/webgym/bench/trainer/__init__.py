"""The trainer against the plain padded loop."""
