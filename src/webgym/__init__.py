"""WebGym: train visual web agents with reinforcement learning."""

__version__ = "0.1.0"
