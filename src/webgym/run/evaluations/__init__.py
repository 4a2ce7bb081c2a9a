"""Evaluations on websites that are never trained on: in turn with training, beside it, or later."""
