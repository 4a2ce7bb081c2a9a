"""The only place that knows every stage."""
