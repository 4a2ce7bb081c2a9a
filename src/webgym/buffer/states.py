"""Which state each step of an attempt began in, for estimators that compare steps."""

from __future__ import annotations

from webgym.records.observation import Observation
from webgym.records.trajectory import Trajectory


def states(trajectory: Trajectory) -> tuple[str, ...]:
    """Return a text for each step: the same for the same address and the same picture, to the pixel."""
    return tuple(_state(step.observation) for step in trajectory.steps)


def _state(seen: Observation) -> str:
    picture = seen.screenshot.address if seen.screenshot else ""
    dialog = seen.dialog.message if seen.dialog else ""
    return f"{seen.url}\n{seen.title}\n{picture}\n{dialog}"
