"""The version of WebGym."""

__version__ = "0.1.0"
