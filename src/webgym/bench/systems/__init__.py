"""What is measured: ours, and what it is measured against. Each is a way to start a `Browser`."""
