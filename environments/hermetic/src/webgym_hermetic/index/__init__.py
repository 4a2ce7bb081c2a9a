"""The index of served websites, for people."""
