"""Tasks on hermetic sites: generated from templates, worded, and decomposed into subtasks."""
