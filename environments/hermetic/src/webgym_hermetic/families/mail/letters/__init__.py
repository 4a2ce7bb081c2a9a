"""Conversations by topic, each with facts to look for."""
