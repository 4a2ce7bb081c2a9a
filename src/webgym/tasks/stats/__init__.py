"""Statistics of a task set, as text, JSON or HTML."""
