"""Splits by website: what is tested was never trained on, under whatever name."""
