"""Nano, the policy that ships with the package: a tiny model of Qwen3-VL's architecture."""
