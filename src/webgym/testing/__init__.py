"""Public stand-ins for the stages, and the suites that every implementation of a protocol must pass."""
