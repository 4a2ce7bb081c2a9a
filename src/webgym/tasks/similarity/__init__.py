"""Texts that say the same: equal after folding, or nearly so."""
