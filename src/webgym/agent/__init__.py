"""The agent: prompts, action dialects and policies."""
