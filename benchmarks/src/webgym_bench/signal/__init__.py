"""How much of a policy gradient is signal, and how much is noise."""
