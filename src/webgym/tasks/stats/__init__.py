"""What a task set holds, in figures: as text, as JSON, as a page."""
