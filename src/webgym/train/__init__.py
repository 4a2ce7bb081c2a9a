"""The reference trainer: from batches to better weights."""
