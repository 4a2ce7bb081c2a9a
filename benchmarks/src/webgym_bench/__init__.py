"""The benchmarks behind `webgym bench`."""
