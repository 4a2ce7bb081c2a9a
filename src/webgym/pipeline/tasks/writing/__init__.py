"""A model writes what task sets lack: asked many times at once, checked, and never paid twice for the same."""
