"""Text similarity: equality after folding, and near-duplicates."""
