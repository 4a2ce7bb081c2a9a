"""What flows between the stages: frozen, versioned, without I/O."""
