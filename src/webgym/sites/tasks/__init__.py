"""Tasks on hermetic sites: drawn from templates, worded, split, and cut into parts."""
