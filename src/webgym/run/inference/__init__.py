"""Check inference servers against the model they should serve."""
