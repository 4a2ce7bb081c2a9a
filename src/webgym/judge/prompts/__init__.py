"""The prompts' files. A change of words is a new version: verdicts are compared by it."""
