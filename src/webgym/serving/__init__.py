"""Shared parts of processes that serve HTTP."""
