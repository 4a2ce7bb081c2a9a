"""Health of tasks and websites across runs."""
