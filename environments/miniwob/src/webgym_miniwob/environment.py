"""MiniWoB++ as an environment: tasks, each with many seeds, served here and judged by their pages' own rewards."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Literal

import msgspec

from webgym.environments.spec import attempt_spec
from webgym.errors import CapacityError, ConfigError
from webgym.records.environment import Egress, TaskSelection, TaskSupport
from webgym.records.session import Look, SessionSpec
from webgym.records.task import FactGroup, Task
from webgym.records.trajectory import Attempt
from webgym.rng import Rng
from webgym.stages import Agent, AttemptSetup, AttemptTerms, Browser, EnvironmentNeeds, RunningEnvironment
from webgym_miniwob.catalogue import SPLITS, Kind, groups, kinds
from webgym_miniwob.instance import Instance
from webgym_miniwob.judge import MiniwobEnd, MiniwobJudge, MiniwobState
from webgym_miniwob.oracle import SOLVERS, Oracle
from webgym_miniwob.pages import installed_pages
from webgym_miniwob.server import PageServer, serving
from webgym_miniwob.utterances import utterances

BENCHMARK = "miniwob"
_ON_PAGE = "Do what the page says at its top."
_PLACE = "http://miniwob.localhost/"
"""Where tasks are said to be. Attempts get an address of their own."""
_GLANCE = Look(screenshot=None)


class _Instance(msgspec.Struct, frozen=True):
    """What `Task.exact` says."""

    name: str
    seed: int


class MiniwobEnvironment:
    """MiniWoB's tasks, as many instances of each as there are seeds."""

    name = "miniwob"

    def __init__(
        self,
        seeds: int = 100,
        instruction: Literal["utterance", "page"] = "utterance",
        host: str = "127.0.0.1",
        port: int = 0,
    ) -> None:
        """Check the options.

        Args:
            seeds: How many instances there are of each task.
            instruction: What tasks say: the utterance of their page, or only that it says so itself. Pages show it
                either way.
            host: The interface to serve pages on.
            port: The port; 0 for a free one, which a fleet that runs already cannot allow.

        Raises:
            ConfigError: There are no instructions for so many seeds, or options make no sense.
        """
        known = min(len(said) for said in utterances().by_name.values())
        if seeds < 1 or (seeds > known and instruction == "utterance"):
            raise ConfigError(
                f"env.options.seeds = {seeds}: there are instructions for the first {known} seeds of each task; "
                "env.options.instruction=page does without"
            )
        if instruction not in {"utterance", "page"}:
            raise ConfigError(f"env.options.instruction = {instruction!r} is neither 'utterance' nor 'page'")
        self._seeds = seeds
        self._instruction = instruction
        self._host = host
        self._port = port

    def tasks(self, selection: TaskSelection) -> Iterator[Task]:
        """Yield one instance of each selected task, then another of each, so that even a few cover many."""
        if selection.split not in SPLITS:
            raise ConfigError(f"tasks.split = {selection.split!r}: MiniWoB has the splits {', '.join(SPLITS)}")
        if unknown := set(selection.families) - groups():
            raise ConfigError(
                f"unknown group of tasks: {', '.join(sorted(unknown))}; choose from {', '.join(sorted(groups()))}"
            )
        wanted = [
            kind
            for kind in kinds().values()
            if kind.split == selection.split and (not selection.families or kind.group in selection.families)
        ]
        ordered = Rng("miniwob", selection.seed).shuffled(wanted)
        made = (self._task(kind, seed) for seed in range(self._seeds) for kind in ordered)
        return (task for task in made if selection.wants(task.task_id, task.template, task.level))

    def supports(self, task: Task) -> TaskSupport:
        """Return that the page judges; a few tasks have an oracle."""
        if task.benchmark != BENCHMARK:
            return TaskSupport()
        return TaskSupport(served=True, exact=True, oracle=task.template in SOLVERS)

    def open(self, needs: EnvironmentNeeds) -> AbstractAsyncContextManager[RunningEnvironment]:
        """Serve the pages.

        Raises:
            ConfigError: The pages are not installed or not those of the instructions, or there is a task of another
                environment, or a fleet that runs already cannot know the port.
        """
        return self._opened(needs)

    @asynccontextmanager
    async def _opened(self, needs: EnvironmentNeeds) -> AsyncGenerator[RunningEnvironment]:
        for task in needs.tasks:
            _instance_of(task)
        if not needs.fleet and not self._port:
            raise ConfigError(
                "MiniWoB on a fleet that runs already needs a port that its nodes allow: set env.options.port=PORT "
                "and start the fleet with `webgym serve --allow 127.0.0.1:PORT`"
            )
        pages = installed_pages()
        if self._instruction == "utterance" and pages.fingerprint != utterances().fingerprint:
            raise ConfigError(
                "the installed miniwob has other pages than those whose instructions ship with webgym-miniwob: set "
                "env.options.instruction=page, or read them again: python -m webgym_miniwob.read_utterances"
            )
        async with serving(pages, self._host, self._port) as server:
            yield RunningMiniwob(server)

    def _task(self, kind: Kind, seed: int) -> Task:
        said = utterances().by_name[kind.name][seed] if self._instruction == "utterance" else _ON_PAGE
        return Task(
            task_id=f"{BENCHMARK}/{kind.name}/{seed}",
            instruction=said,
            website=f"{_PLACE}{kind.name}/{seed}",
            rubric=(FactGroup(1, "What the page asks for", (f"What the page asks for has been done: {said}",)),),
            benchmark=BENCHMARK,
            domain=kind.group,
            split=kind.split,
            template=kind.name,
            exact=msgspec.json.encode(_Instance(kind.name, seed)).decode(),
            site=kind.name,
        )


class RunningMiniwob:
    """Attempts at tasks that are served here."""

    def __init__(self, server: PageServer) -> None:
        self.egress = Egress(allow=(server.destination,))
        self._server = server

    def prepare(self, attempt: Attempt, terms: AttemptTerms) -> AbstractAsyncContextManager[AttemptSetup]:
        """Serve the attempt a page of its own.

        Raises:
            ConfigError: It is at a task of another environment.
        """
        return self._prepared(attempt, terms)

    @asynccontextmanager
    async def _prepared(self, attempt: Attempt, terms: AttemptTerms) -> AsyncGenerator[AttemptSetup]:
        asked = _instance_of(attempt.task)
        with self._server.instance(asked.name, asked.seed) as instance:
            yield self._setup(attempt, terms, instance)

    def _setup(self, attempt: Attempt, terms: AttemptTerms, instance: Instance) -> AttemptSetup:
        task = msgspec.structs.replace(attempt.task, website=self._server.address(instance))
        placed = msgspec.structs.replace(attempt, task=task)
        spec = msgspec.structs.replace(attempt_spec(placed, terms), destinations=(self._server.destination,))
        return AttemptSetup(
            attempt=placed,
            spec=spec,
            judge=MiniwobJudge(instance, kinds()[instance.name].enough),
            state=MiniwobState(instance),
            oracle=_oracle(instance),
            end=MiniwobEnd(instance),
        )

    async def check(self, browser: Browser, spec: SessionSpec) -> None:
        """Check that a session of the fleet reaches the pages.

        Raises:
            ConfigError: It does not.
        """
        with self._server.instance(next(iter(kinds())), 0) as instance:
            try:
                start = msgspec.structs.replace(spec, start_url=self._server.address(instance))
                async with browser.open(start) as session:
                    await session.step(None, _GLANCE)
            except CapacityError:
                return
            if not instance.progress.loads:
                raise ConfigError(
                    f"sessions of the fleet at browser.url cannot reach MiniWoB at {self._server.destination}: start "
                    f"its nodes with `webgym serve --allow {self._server.destination}`"
                )


def _oracle(instance: Instance) -> Callable[[], Agent] | None:
    solver = SOLVERS.get(instance.name)
    if solver is None:
        return None
    return lambda: Oracle(solver, instance)


def _instance_of(task: Task) -> _Instance:
    try:
        asked = msgspec.json.decode(task.exact, type=_Instance)
    except msgspec.DecodeError as error:
        raise ConfigError(f"task {task.task_id} is not of env=miniwob") from error
    if task.benchmark != BENCHMARK or asked.name not in kinds():
        raise ConfigError(f"task {task.task_id} is not of env=miniwob, or of another version of it")
    return asked
