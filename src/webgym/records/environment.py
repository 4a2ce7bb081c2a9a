"""What is asked of an environment: which tasks, which faults, and what its attempts may reach."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.records.task import Level


class TaskSelection(Record, frozen=True):
    """Which of its tasks an environment is asked for. One without splits, families or sites ignores these."""

    split: str = "test"
    seed: int = 0
    """Seed of the order of tasks: the run takes the first ones."""
    families: tuple[str, ...] = ()
    """Kinds of websites or of tasks; empty: all."""
    levels: tuple[Level, ...] = ()
    """Empty: all; likewise `templates` and `task_ids`. The run filters by these too, but tasks are cheaper to skip
    where they are made."""
    templates: tuple[str, ...] = ()
    task_ids: tuple[str, ...] = ()
    sites_per_family: int = 50
    sites_from: int = 0
    """Skip sites of each family with a lower number."""

    def wants(self, task_id: str, template: str, level: Level) -> bool:
        """Return whether a task of this id, template and level is selected."""
        return (
            (not self.levels or level in self.levels)
            and (not self.templates or template in self.templates)
            and (not self.task_ids or task_id in self.task_ids)
        )


class TaskSupport(Record, frozen=True):
    """What an environment offers for a task."""

    served: bool = False
    """Whether the environment serves the task's pages itself, so that the fleet's policy need not allow them."""
    exact: bool = False
    """Whether it has a judge that knows."""
    oracle: bool = False
    """Whether it has an agent that solves the task."""


class Faults(Record, frozen=True):
    """Faults to inject into an attempt. All off by default."""

    latency_seconds: float = 0.0
    """Median latency of a page."""
    latency_sigma: float = 0.0
    """Sigma of the lognormal latency distribution."""
    error_rate: float = 0.0
    """Share of pages answered by an error page."""
    blocked_rate: float = 0.0
    """Share of attempts blocked by a bot check."""
    shift: bool = False
    """Whether the layout shifts shortly after a page is shown."""


NO_FAULTS = Faults()


class Egress(Record, frozen=True):
    """What a fleet must let sessions reach for this environment, besides public addresses."""

    allow: tuple[str, ...] = ()
    """Private or loopback destinations, each as `host:port`."""
    routes: dict[str, str] = {}
    """Host patterns with a port that are served elsewhere, and where: `*.shops.test:80` to `127.0.0.1:4300`."""
