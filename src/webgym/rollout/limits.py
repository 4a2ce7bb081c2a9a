"""Limits of an attempt."""

from __future__ import annotations

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from webgym.records.task import Level

Count = Annotated[int, Field(ge=1)]
NotNegative = Annotated[int, Field(ge=0)]


class Limits(BaseModel):
    """Limits of an attempt. The published step limits are 10/20/30 for training and 30/50/70 for test.

    Reaching one ends the attempt as `truncated`, except for `wall_seconds`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    easy: Count = 30
    """Maximum steps of an easy task; likewise `medium` and `hard`."""
    medium: Count = 50
    hard: Count = 70
    tokens: NotNegative = 0
    """Maximum sampled tokens over all steps; 0: no limit."""
    seconds: Annotated[float, Field(ge=0)] = 0.0
    """Maximum time of deciding and acting, without queueing; 0: no limit."""
    malformed: NotNegative = 5
    """Consecutive unparsable replies that end an attempt; 0: no limit."""
    repeats: NotNegative = 0
    """Consecutive repeats of an action without effect that end an attempt; 0: no limit."""
    wall_seconds: Annotated[float, Field(gt=0)] = 3600.0
    """Maximum wall time, including queueing; beyond it the attempt counts as an infrastructure failure."""

    def steps(self, level: Level) -> int:
        """Return the maximum number of steps for a task of this level."""
        match level:
            case "easy":
                return self.easy
            case "medium":
                return self.medium
            case "hard":
                return self.hard


TEST = Limits()
TRAIN = Limits(easy=10, medium=20, hard=30)
