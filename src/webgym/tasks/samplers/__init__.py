"""Which tasks are attempted next."""
