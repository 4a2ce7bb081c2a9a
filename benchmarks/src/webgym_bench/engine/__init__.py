"""The inference engine against batched `generate` of transformers, on the same requests."""
