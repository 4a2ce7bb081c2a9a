"""The trajectory viewer: stored runs as web pages."""
