"""One client for every OpenAI-compatible server."""
