"""Attempts that people labelled elsewhere, made into runs of ours with labels beside them."""
