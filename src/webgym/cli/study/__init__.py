"""`webgym study`: one file per command."""
