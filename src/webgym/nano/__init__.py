"""The policy that ships with the package: tiny, of Qwen3-VL's architecture."""
