"""What the models are told, as files: `NAME-VERSION.md`. A changed text is a new version under a new name."""
