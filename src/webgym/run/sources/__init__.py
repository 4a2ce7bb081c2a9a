"""Where batches come from: replayed attempts, ordered groups, a stream of groups."""
