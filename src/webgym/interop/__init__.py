"""Other people's formats and interfaces."""
