"""Studies: compare training configurations, each trained with several seeds."""
