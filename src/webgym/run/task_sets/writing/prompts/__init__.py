"""The prompt files, `NAME-VERSION.md`. A changed text is a new version under a new name."""
