"""The demo: a training run that fits into a few minutes, with everything there is to look at around it."""
