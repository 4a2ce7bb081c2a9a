"""Public test doubles for the stages, and the conformance suites that every implementation must pass."""
