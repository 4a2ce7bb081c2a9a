"""Task sets: read from any source, cleaned, split by website, drawn from."""
