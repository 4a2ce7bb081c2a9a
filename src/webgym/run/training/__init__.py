"""Training: collect rollouts, update the policy, publish weights, evaluate, repeat."""
