"""`webgym bench rollouts`: the asynchronous pool and lockstep, on the same work."""
