"""The engine against batched `generate`, on the same requests."""
