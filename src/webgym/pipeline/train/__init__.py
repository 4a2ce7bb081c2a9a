"""Training: collect, learn, publish, evaluate, again."""
