"""Inference servers that sample for training (vLLM, SGLang): started or attached to, weights updated in place."""
