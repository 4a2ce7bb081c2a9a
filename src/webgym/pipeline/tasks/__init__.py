"""Task sets together with the other stages: hermetic sites, and models that write."""
