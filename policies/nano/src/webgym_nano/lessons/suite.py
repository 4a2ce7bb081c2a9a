"""The nano suite: easy tasks on unseen websites, each solved by an oracle within nano's abilities.

A task is included if an oracle limited as nano is (its screen size, its actions, answers visible on the last screen)
solves it within the suite's steps. So every task is known to be solvable within these limits.
"""

from __future__ import annotations

import collections
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec
from pydantic import BaseModel, ConfigDict, Field
from webgym_hermetic.catalogue import sites
from webgym_hermetic.registry import FAMILIES
from webgym_hermetic.site import Site
from webgym_hermetic.tasks.generate import tasks_of

from webgym.errors import ConfigError
from webgym.records.base import Record
from webgym.records.lesson import Lesson
from webgym.records.task import Task
from webgym.records.trajectory import Attempt, Ending, Infrastructure, Success
from webgym.rng import Rng
from webgym.rollout.pool import FinishedGroup
from webgym.rollout.run_all import run_all
from webgym.stages import Agent, AttemptSetup
from webgym_nano.lessons.agent_settings import MOST_FACTS
from webgym_nano.lessons.answers import DONE
from webgym_nano.lessons.lessons import Lead, LessonAgent
from webgym_nano.lessons.stage import open_stage

NAME = "nano"
UNSEEN = ("validation", "test", "test_structure")


class SuiteConfig(BaseModel):
    """Settings of the suite. Unknown keys are rejected."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    seed: int = 0
    splits: tuple[str, ...] = ("test",)
    families: tuple[str, ...] = ()
    """Empty: all families."""
    sites_per_family: int = Field(default=50, ge=1)
    tasks_per_site: int = Field(default=60, ge=1)
    """Number of tasks to draw from."""
    each: int = Field(default=16, ge=1)
    """Number of tasks of a site to try."""
    steps: int = Field(default=8, ge=1)
    """Maximum steps of the oracle, including the answer."""
    tries: int = Field(default=2, ge=1)
    """Attempts per task: parts of some pages load late, and cost an extra step on a busy machine."""
    sessions: int = Field(default=8, ge=1)
    nodes: int = Field(default=1, ge=1)


class Entry(Record, frozen=True, omit_defaults=False):
    """A task of the suite."""

    task_id: str
    split: str
    family: str
    template: str
    facts: int
    kind: str
    """What the task comes down to: `answer`, `form`, `search` or `click`."""
    steps: int
    """Steps the oracle took."""
    verbs: tuple[str, ...]


class Suite(Record, frozen=True, omit_defaults=False):
    """A summary of the suite's tasks, written beside the file that holds them."""

    name: str
    seed: int
    tried: int
    troubled: int
    """Tasks lost to infrastructure errors; if there are any, the suite is not reproducible from its seed."""
    tasks: int
    by_split: dict[str, int]
    by_family: dict[str, int]
    by_kind: dict[str, int]
    by_facts: dict[str, int]
    entries: tuple[Entry, ...]


async def make_suite(config: SuiteConfig, out: Path, told: Callable[[int, int], None] | None = None) -> Suite:
    """Try tasks, and write the solved ones to `out`, one per line, with a summary in `out` plus `.json`.

    Args:
        config: Settings of the suite.
        out: A file for `webgym eval tasks.use=file tasks.file=…`.
        told: Called after each try with the numbers of tasks tried and solved.
    """
    tasks = list(candidates(config))
    verbs: dict[str, list[str]] = collections.defaultdict(list)
    solved: dict[str, Ending] = {}
    tried: set[str] = set()
    troubled: set[str] = set()

    def make(setup: AttemptSetup) -> Agent:
        mine = verbs[setup.attempt.task.task_id]
        mine.clear()  # left by a lost try

        def note(lesson: Lesson) -> None:
            mine.append(lesson.verb)

        return LessonAgent(setup, Lead(strays=0.0, steps=config.steps, others=False), note)

    def ended(finished: FinishedGroup) -> None:
        for attempt, ending in zip(finished.attempts, finished.endings, strict=True):
            tried.add(attempt.task.task_id)
            if isinstance(ending.outcome, Infrastructure):
                troubled.add(attempt.task.task_id)
            elif isinstance(ending.outcome, Success):
                solved[attempt.task.task_id] = ending
        if told is not None:
            told(len(tried), len(solved))

    async with open_stage(
        make,
        tasks,
        sessions=config.sessions,
        nodes=config.nodes,
        per_family=config.sites_per_family,
        steps=config.steps,
    ) as pool:
        for number in range(config.tries):
            left = [task for task in tasks if task.task_id not in solved]
            await run_all(pool, [(Attempt(f"{task.task_id}/{number}", task),) for task in left], ended)
    chosen = [task for task in tasks if task.task_id in solved]
    entries = tuple(_entry(task, solved[task.task_id], tuple(verbs[task.task_id])) for task in chosen)
    suite = _suite(config, entries, len(tried), len(troubled - solved.keys()))
    _write(out, chosen, suite)
    return suite


def candidates(config: SuiteConfig) -> Iterator[Task]:
    """Yield the tasks to try, determined by the seed; a site's templates take turns.

    Raises:
        ConfigError: A split is not reserved for evaluation.
    """
    if wrong := [split for split in config.splits if split not in UNSEEN]:
        raise ConfigError(f"a suite needs unseen websites: the split must be {', '.join(UNSEEN)}, not {wrong[0]}")
    for site in sites(config.sites_per_family, config.families or FAMILIES):
        if site.split in config.splits:
            yield from _of_site(site, config)


def _of_site(site: Site, config: SuiteConfig) -> Sequence[Task]:
    by_template: dict[str, list[Task]] = collections.defaultdict(list)
    for task in tasks_of(site, config.tasks_per_site):
        if task.difficulty <= MOST_FACTS:
            by_template[task.template].append(task)
    templates = Rng("suite", config.seed, site.name).shuffled(sorted(by_template))
    rounds = range(max(map(len, by_template.values()), default=0))
    turns = (by_template[one][turn] for turn in rounds for one in templates if turn < len(by_template[one]))
    return list(turns)[: config.each]


def _entry(task: Task, solved: Ending, verbs: tuple[str, ...]) -> Entry:
    kind = kind_of(verbs, solved.answer or "")
    return Entry(task.task_id, task.split, task.domain, task.template, task.difficulty, kind, solved.steps, verbs)


def kind_of(verbs: Sequence[str], answer: str) -> str:
    """Classify a task by how it was solved."""
    if answer not in ("", DONE):
        return "answer"
    if {"type", "select"}.intersection(verbs):
        return "form"
    return "search" if "submit" in verbs else "click"


def _suite(config: SuiteConfig, entries: tuple[Entry, ...], tried: int, troubled: int) -> Suite:
    def counted(key: Callable[[Entry], str]) -> dict[str, int]:
        return dict(sorted(collections.Counter(map(key, entries)).items()))

    return Suite(
        name=NAME,
        seed=config.seed,
        tried=tried,
        troubled=troubled,
        tasks=len(entries),
        by_split=counted(lambda one: one.split),
        by_family=counted(lambda one: one.family),
        by_kind=counted(lambda one: one.kind),
        by_facts=counted(lambda one: str(one.facts)),
        entries=entries,
    )


def _write(out: Path, tasks: Sequence[Task], suite: Suite) -> None:
    out.parent.mkdir(parents=True, exist_ok=True)
    out.write_bytes(b"".join(msgspec.json.encode(task) + b"\n" for task in tasks))
    out.with_name(f"{out.name}.json").write_bytes(msgspec.json.format(msgspec.json.encode(suite), indent=1) + b"\n")
