"""Wires the stages into runs: the only package that imports all of them."""
