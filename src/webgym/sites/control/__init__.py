"""The control plane: states are made, forked, read and ended here, on a port that no page or agent can reach."""
