"""`webgym judge`: one file per command."""
