"""`webgym tasks`: one file per command."""
