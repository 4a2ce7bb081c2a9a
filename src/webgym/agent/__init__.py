"""The agent: what it is shown, how it speaks, who answers."""
