"""Samplers, which decide which tasks are attempted next."""
