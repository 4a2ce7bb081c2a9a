"""Task templates of news and documentation sites."""
