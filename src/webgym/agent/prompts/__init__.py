"""The text of prompts: a folder for each version. Under a version's name it never changes."""
