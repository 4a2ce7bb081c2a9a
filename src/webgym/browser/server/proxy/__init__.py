"""The forward proxy through which a session's requests go: `open_proxy` in `forward`."""
