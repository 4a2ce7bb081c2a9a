"""The reference trainer: updates a policy's weights from batches of samples."""
