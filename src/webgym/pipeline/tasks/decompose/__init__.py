"""Parts of tasks, with an instruction each: by template for hermetic tasks, written by a model for the others."""
