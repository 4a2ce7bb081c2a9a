"""Replies that are no actions: when they are so many that a run measures something else than its policy."""

from __future__ import annotations

MANY = 0.5
"""Share of malformed replies above which to warn."""
ENOUGH = 10
"""Replies from which on a share tells something."""
_ADVICE = (
    "the policy does not reply as it is asked to. Look at its replies with webgym view. Usually agent.dialect, "
    "agent.prompt or the viewport are not those it was trained with, or policy.max_tokens (model.max_tokens of a "
    "server) cuts its replies off"
)


def malformed_warning(malformed: int, replies: int) -> str:
    """Return a warning if most replies are malformed, with what to do about it; empty otherwise."""
    if replies < ENOUGH or malformed <= MANY * replies:
        return ""
    return f"{malformed} of {replies} replies were malformed ({malformed / replies:.0%}): {_ADVICE}"
