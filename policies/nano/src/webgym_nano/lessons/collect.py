"""Collects lessons from concurrent attempts by straying oracles and by a policy in training."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import anyio.to_thread
from pydantic import BaseModel, ConfigDict, Field
from webgym_hermetic.catalogue import sites
from webgym_hermetic.environment import hermetic_state
from webgym_hermetic.registry import FAMILIES
from webgym_hermetic.site import Site
from webgym_hermetic.tasks.generate import tasks_of

from webgym.errors import ConfigError
from webgym.records.lesson import Lesson
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, outcome_kind
from webgym.rng import Rng
from webgym.rollout.pool import Pool
from webgym.stages import Agent, AttemptSetup
from webgym_nano.lessons.agent_settings import MOST_FACTS
from webgym_nano.lessons.follow import Following, following
from webgym_nano.lessons.lessons import Lead, LessonAgent, Unsaid
from webgym_nano.lessons.shards import ShardWriter
from webgym_nano.lessons.stage import open_stage

_LONG_ONES = 0.3
"""Share of overly long tasks that are attempted."""
SPLIT = "train"
"""The only split of sites that lessons come from."""


class CollectConfig(BaseModel):
    """Settings of a collection. Unknown keys are rejected."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seconds: float = Field(default=60.0, gt=0)
    lessons: int = Field(default=0, ge=0)
    """Stop after this many lessons; 0: no limit."""
    sessions: int = Field(default=8, ge=1)
    nodes: int = Field(default=1, ge=1)
    families: tuple[str, ...] = ()
    """Empty: all families."""
    sites_per_family: int = Field(default=200, ge=1)
    tasks_per_site: int = Field(default=60, ge=1)
    part: tuple[int, int] = (0, 1)
    """Which of how many equal parts of the sites to use, for several processes."""
    seed: int = 0
    steps: int = Field(default=12, ge=1)
    strays: float = Field(default=0.12, ge=0, le=1)
    policy_attempts: float = Field(default=0.65, ge=0, le=1)
    """Share of attempts in which the policy acts, once there is one."""
    policy_steps: float = Field(default=0.85, ge=0, le=1)
    """Share of the steps of such attempts in which it acts."""
    temperature: float = Field(default=0.6, ge=0)
    shard: int = Field(default=128, ge=1)
    """Lessons per file."""
    shards: int = Field(default=500, ge=1)
    """Maximum files in the folder."""


@dataclass(slots=True)
class Collected:
    """Progress and result of a collection."""

    lessons: int = 0
    seconds: float = 0.0
    attempts: int = 0
    outcomes: collections.Counter[str] = field(default_factory=collections.Counter[str])
    verbs: collections.Counter[str] = field(default_factory=collections.Counter[str])
    questions: collections.Counter[str] = field(default_factory=collections.Counter[str])
    by: collections.Counter[str] = field(default_factory=collections.Counter[str])
    unsaid: dict[str, Unsaid] = field(default_factory=dict[str, Unsaid])
    """Inexpressible decisions by family of sites."""
    version: int = -1
    """Version of the policy at the end."""

    def count(self, lesson: Lesson) -> None:
        self.lessons += 1
        self.verbs[lesson.verb] += 1
        self.by[lesson.by] += 1
        self.questions.update(one.kind for one in lesson.questions)


async def collect(
    config: CollectConfig, folder: Path, follow: Path | None = None, told: Callable[[Collected], None] | None = None
) -> Collected:
    """Collect lessons into a folder.

    Args:
        config: Settings of the collection.
        folder: Folder for the shards.
        follow: Folder in which a trainer writes versions of its weights; their policy acts, too, once there is one.
        told: Called after every attempt.
    """
    collected = Collected()
    lengths = Lengths(config)
    attempts = attempts_of(config, lengths)
    first = next(attempts)
    with ShardWriter(folder, size=config.shard, most=config.shards) as shards:
        async with following(follow, temperature=config.temperature) as policy:
            casting = _Casting(config, policy, shards, collected)
            async with open_stage(
                casting.agent,
                [first.task],
                sessions=config.sessions,
                nodes=config.nodes,
                per_family=config.sites_per_family,
                steps=config.steps,
            ) as pool:
                began = anyio.current_time()
                await _run(pool, itertools.chain([first], attempts), config, collected, lengths, told)
                collected.seconds = anyio.current_time() - began
            collected.version = policy.version
    return collected


class _Casting:
    """Decides who acts in each attempt."""

    def __init__(self, config: CollectConfig, policy: Following, shards: ShardWriter, collected: Collected) -> None:
        self._config = config
        self._policy = policy
        self._shards = shards
        self._collected = collected
        self._rng = Rng("leads", config.seed, *config.part)

    def agent(self, setup: AttemptSetup) -> Agent:
        config = self._config
        leads = self._policy.policy is not None and self._rng.chance(config.policy_attempts)
        policy = self._policy.policy if leads else None
        lead = Lead(config.strays, policy, config.policy_steps, config.steps)
        family = hermetic_state(setup).site.family
        return LessonAgent(setup, lead, self._take, self._collected.unsaid.setdefault(family, Unsaid()))

    def _take(self, lesson: Lesson) -> None:
        self._shards.add(lesson)
        self._collected.count(lesson)


async def _run(
    pool: Pool,
    attempts: Iterator[Attempt],
    config: CollectConfig,
    collected: Collected,
    lengths: Lengths,
    told: Callable[[Collected], None] | None,
) -> None:
    async with anyio.create_task_group() as tasks:

        async def submit() -> None:
            while True:
                # In a thread: generating the world of a site, for its first task, takes a second or two.
                await pool.submit([await anyio.to_thread.run_sync(next, attempts)])

        async def count() -> None:
            began = anyio.current_time()
            async for finished in pool.finished():
                collected.attempts += 1
                lengths.took(finished.attempts[0].task, finished.endings[0].steps)
                collected.outcomes[outcome_kind(finished.endings[0].outcome)] += 1
                collected.seconds = anyio.current_time() - began
                if told is not None:
                    told(collected)
                if config.lessons and collected.lessons >= config.lessons:
                    break

        tasks.start_soon(submit)
        with anyio.move_on_after(config.seconds):
            await count()
        tasks.cancel_scope.cancel()


class Lengths:
    """Mean steps by template, so that tasks that take too many are attempted less often.

    A truncated attempt teaches nothing about how its task ends.
    """

    def __init__(self, config: CollectConfig) -> None:
        self._most = config.steps - 1.5
        self._means: dict[tuple[str, str], float] = {}
        self._rng = Rng("lengths", config.seed, *config.part)

    def took(self, task: Task, steps: int) -> None:
        kind = (task.domain, task.template)
        self._means[kind] = 0.8 * self._means.get(kind, float(steps)) + 0.2 * steps

    def passes(self, task: Task) -> bool:
        """Whether to attempt the task."""
        return self._means.get((task.domain, task.template), 0.0) < self._most or self._rng.chance(_LONG_ONES)


def attempts_of(config: CollectConfig, lengths: Lengths | None = None) -> Iterator[Attempt]:
    """Yield attempts endlessly, cycling through sites, so that any few of them cover many sites.

    Raises:
        ConfigError: There is no site to learn from.
    """
    part, parts = config.part
    chosen = [one for one in sites(config.sites_per_family, config.families or FAMILIES) if one.split == SPLIT]
    mixed = Rng("sites", config.seed).shuffled(chosen)[part::parts]
    if not mixed:
        raise ConfigError("no training sites left: use more sites per family, or fewer parts")
    tasks: dict[str, list[Task]] = {}
    for number in itertools.count():
        turn, at = divmod(number, len(mixed))
        site = mixed[at]
        if site.name not in tasks:
            tasks[site.name] = _easy(site, config)
        if not tasks[site.name]:
            continue
        task = tasks[site.name][turn % len(tasks[site.name])]
        if lengths is not None and not lengths.passes(task):
            continue
        name = f"{task.task_id}/{config.seed}-{part}-{number}"
        yield Attempt(name, task, seed=Rng("lesson", config.seed, number).below(2**31))


def _easy(site: Site, config: CollectConfig) -> list[Task]:
    found = [task for task in tasks_of(site, config.tasks_per_site) if task.difficulty <= MOST_FACTS]
    return Rng("tasks", config.seed, site.name).shuffled(found)
