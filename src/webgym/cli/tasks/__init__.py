"""`webgym tasks`: task sets, from their sources to the tasks that are drawn."""
