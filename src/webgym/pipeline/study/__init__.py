"""Studies: ways of learning, each trained with several seeds, set against each other."""
