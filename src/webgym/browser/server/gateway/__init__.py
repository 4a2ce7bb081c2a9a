"""The gateway: a registry of nodes, placement of sessions, and a relay for clients that cannot reach nodes directly."""
