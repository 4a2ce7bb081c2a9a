"""The demo: a training run of a few minutes, with monitor, curves, viewer and report."""
