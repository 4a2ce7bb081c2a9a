"""A worker process, which hosts sessions for its node. It depends only on the Browser and Session protocols."""
