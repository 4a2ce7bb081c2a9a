"""Losses and advantage estimators: small functions, chosen by name or import path. Knows no stage."""
