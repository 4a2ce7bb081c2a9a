"""How far a judge can be trusted: its verdicts against truth, with intervals, and what trusting it costs."""
