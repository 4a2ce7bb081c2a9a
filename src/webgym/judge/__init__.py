"""Says whether an attempt did what its task asks: rubric verdicts by a model, and how far to trust them."""
