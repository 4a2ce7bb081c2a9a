"""How far an attempt may go."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.records.task import Level


class Limits(Record, frozen=True):
    """What an agent may use up. Each of these ends the attempt as `truncated`, except `wall_seconds`."""

    easy: int = 10
    medium: int = 20
    hard: int = 30
    """Steps, by the task's level."""
    tokens: int = 0
    """Sampled, in all steps together; 0: any number."""
    seconds: float = 0.0
    """Of the agent's own time: deciding and acting, without our queues; 0: any."""
    malformed: int = 5
    """Replies in a row that cannot be read."""
    repeats: int = 0
    """Times in a row that the same action on the same page changes nothing; 0: reported, but not ended."""
    wall_seconds: float = 3600.0
    """Of everything, queues included: beyond it the attempt was lost to us (`infrastructure`)."""

    def steps(self, level: Level) -> int:
        """How many steps a task of this level may take."""
        match level:
            case "easy":
                return self.easy
            case "medium":
                return self.medium
            case "hard":
                return self.hard


TRAIN = Limits()
TEST = Limits(easy=30, medium=50, hard=70)
