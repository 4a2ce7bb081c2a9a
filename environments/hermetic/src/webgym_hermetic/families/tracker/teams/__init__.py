"""What different teams track: the material that worlds are made of."""
