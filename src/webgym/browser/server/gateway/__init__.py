"""The front door: which nodes there are, which of them opens a session, and a relay where nodes cannot be reached."""
