"""MiniWoB++ as an environment of WebGym."""
