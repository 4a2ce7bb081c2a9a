"""Task sets combined with other stages: hermetic sites, and models that write tasks."""
