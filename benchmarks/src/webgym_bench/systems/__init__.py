"""The systems under test: ours and the baselines. Each is a way to start a `Browser`."""
