"""Splits by website: no test website is trained on, under any of its names."""
