"""Supervised training of nano on lessons: questions about a page's content, and what an oracle would do there."""
