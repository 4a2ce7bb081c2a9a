"""Policies: models behind servers, and scripts."""
