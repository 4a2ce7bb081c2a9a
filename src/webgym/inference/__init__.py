"""Inference servers that sample for training (vLLM, SGLang): started or attached to, refreshed in place."""
