"""The data that flows between stages: frozen, versioned records without I/O."""
