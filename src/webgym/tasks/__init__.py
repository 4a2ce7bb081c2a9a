"""Task sets: import, cleaning, splitting by website, and sampling."""
