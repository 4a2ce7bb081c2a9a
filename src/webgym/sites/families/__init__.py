"""One folder per family of websites."""
