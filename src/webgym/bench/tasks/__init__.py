"""Task sets of realistic size: how long loading, splitting, cleaning and drawing take, and how much memory."""
