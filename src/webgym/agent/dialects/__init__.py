"""How each family of models is told of actions and writes them: one file for each."""
