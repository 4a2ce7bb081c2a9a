"""The forward proxy that enforces a session's egress policy: see `open_proxy` in `forward`."""
