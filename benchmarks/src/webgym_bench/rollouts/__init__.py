"""`webgym bench rollouts`: the asynchronous pool against lockstep, on the same work."""
