"""The control plane: creates, forks, reads and ends states, on a port that no page or agent can reach."""
