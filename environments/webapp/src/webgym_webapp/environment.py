"""The environment: attempts on instances of an application, one for each."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from webgym.environments.spec import attempt_spec
from webgym.errors import ConfigError, SessionLost
from webgym.records.environment import Egress, TaskSelection, TaskSupport
from webgym.records.observation import ActionFailure
from webgym.records.session import Look, SessionSpec
from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.rng import Rng
from webgym.stages import Agent, AttemptSetup, AttemptTerms, Browser, EnvironmentNeeds, RunningEnvironment

from webgym_webapp.application import Application, read_application
from webgym_webapp.attempt import Preparation, WebappAttempt
from webgym_webapp.catalogue import Item, catalogue, filled_task, host_of, with_values
from webgym_webapp.ground import InstanceWatch, WebappJudge, WebappState
from webgym_webapp.hooks import Hook, hook, look_in
from webgym_webapp.instance import Instance
from webgym_webapp.pool import InstancePool, open_instances
from webgym_webapp.process import filled, placeholders

_GLANCE = Look(screenshot=None)


class WebappEnvironment:
    """Any web application that a command starts."""

    def __init__(
        self,
        file: str = "",
        *,
        application: Application | None = None,
        instances: int = 8,
        first_port: int = 0,
        wait_seconds: float = 1800.0,
    ) -> None:
        """Describe the environment.

        Args:
            file: TOML file that describes the application.
            application: Or the description itself.
            instances: How many run at once, at most; never more than there are attempts at once.
            first_port: Instances serve this port and the following; 0: any free ones.
            wait_seconds: How long an attempt may wait for an instance.

        Raises:
            ConfigError: The description is wrong, or one of its functions cannot be imported.
        """
        if application is None and not file:
            raise ConfigError("env=webapp needs env.options.file, a TOML file that describes the application")
        if instances < 1 or wait_seconds <= 0:
            raise ConfigError("env.options: instances and wait_seconds have to be positive")
        found = application or read_application(Path(file))
        self.application = msgspec.structs.replace(found, home=found.home or str(Path.cwd()))
        self.name = self.application.name
        self._instances = instances
        self._first_port = first_port
        self._wait_seconds = wait_seconds
        look_in(self.application.home)
        self._items = catalogue(self.application)
        self._seed = hook(self.application.seed, "seed", self.application.hook_seconds)
        self._state = hook(self.application.state, "state", self.application.hook_seconds)

    def tasks(self, selection: TaskSelection) -> Iterator[Task]:
        """Yield the tasks of the split, shuffled by the seed."""
        splits = sorted({item.task.split for item in self._items.values()})
        if selection.split not in splits:
            raise ConfigError(f"tasks.split = {selection.split!r}: {self.name} has the splits {', '.join(splits)}")
        chosen = [item.task for item in self._items.values() if item.task.split == selection.split]
        for task in Rng("webapp", selection.seed).shuffled(chosen):
            if selection.wants(task.task_id, task.template, task.level):
                yield task

    def supports(self, task: Task) -> TaskSupport:
        """Return that the application's own tasks have everything but perhaps a solver."""
        item = self._item_of(task)
        return TaskSupport(served=item is not None, exact=item is not None, oracle=bool(item and item.solver))

    def open(self, needs: EnvironmentNeeds) -> AbstractAsyncContextManager[RunningEnvironment]:
        """Start an instance for each attempt at once."""
        return self._opened(needs)

    @asynccontextmanager
    async def _opened(self, needs: EnvironmentNeeds) -> AsyncGenerator[RunningEnvironment]:
        for task in needs.tasks:
            if self._item_of(task) is None:
                raise ConfigError(f"task {task.task_id} on {task.website} is not one of {self.name}'s")
        if not needs.fleet and not self._first_port:
            raise ConfigError(
                "the nodes of a running fleet have to allow the instances' ports: set env.options.first_port=21000, "
                "and start each with `webgym serve --allow 127.0.0.1:21000`, and so on for each instance"
            )
        count = max(1, min(needs.attempts, self._instances))
        opened = open_instances(
            self.application, count, seed=self._seed, first_port=self._first_port, wait_seconds=self._wait_seconds
        )
        async with opened as pool:
            yield RunningWebapp(self.application, pool, self._items, self._state)

    def _item_of(self, task: Task) -> Item | None:
        here = urlsplit(task.website).hostname == host_of(self.application).lower()
        return self._items.get(task.task_id) if here else None


class RunningWebapp:
    """Attempts on the instances of an application."""

    def __init__(
        self, application: Application, pool: InstancePool, items: Mapping[str, Item], state: Hook | None
    ) -> None:
        self.egress = Egress(allow=tuple(instance.destination for instance in pool.instances))
        self._application = application
        self._pool = pool
        self._items = items
        self._state = state

    def prepare(self, attempt: Attempt, terms: AttemptTerms) -> AbstractAsyncContextManager[AttemptSetup]:
        """Prepare an instance for this attempt alone."""
        return self._prepared(attempt, terms)

    @asynccontextmanager
    async def _prepared(self, attempt: Attempt, terms: AttemptTerms) -> AsyncGenerator[AttemptSetup]:
        item = self._items[attempt.task.task_id]
        async with self._pool.lent() as instance:
            about = await _begun(item, attempt, instance)
            plan = await _planned(item, about, instance)
            about = _ready(item, about, plan)
            yield AttemptSetup(
                attempt=about.attempt,
                spec=self._spec(about, terms, instance, plan),
                judge=WebappJudge(instance, about, item.verdict),
                state=WebappState(instance, self._state, about, item.prepare),
                oracle=_oracle(item.solver, about),
                end=InstanceWatch(instance),
            )

    async def check(self, browser: Browser, spec: SessionSpec) -> None:
        """Check that sessions of a fleet that the run has not started reach the instances.

        Raises:
            ConfigError: They do not.
        """
        for instance in self._pool.instances:
            start = msgspec.structs.replace(spec, start_url=instance.view.base + "/")
            try:
                async with browser.open(start) as session:
                    first = (await session.step(None, _GLANCE)).observation
            except SessionLost as error:
                raise ConfigError(f"sessions of the fleet at browser.url cannot open {start.start_url}") from error
            if isinstance(first.effect, ActionFailure):
                raise ConfigError(
                    f"sessions of the fleet at browser.url do not reach {start.start_url} ({first.effect.detail}): its "
                    f"nodes have to run on this machine, with --allow {instance.destination}"
                )

    def _spec(self, about: WebappAttempt, terms: AttemptTerms, instance: Instance, plan: Preparation) -> SessionSpec:
        names = placeholders(self._application, instance.port, instance.view.folder)
        own = {name: filled(value, names) for name, value in self._application.headers.items()}
        spec = attempt_spec(about.attempt, terms)
        return msgspec.structs.replace(
            spec,
            headers={**spec.headers, **own, **plan.headers},
            # Its own instance and no other: the neighbours serve other attempts.
            destinations=(instance.destination,),
        )


async def _begun(item: Item, attempt: Attempt, instance: Instance) -> WebappAttempt:
    values = dict(item.given.values)
    if item.fill is not None:
        values |= await item.fill.prepared(attempt)
    begun = msgspec.structs.replace(attempt, task=filled_task(attempt.task, item.given, values))
    return WebappAttempt(begun, instance.view, values)


async def _planned(item: Item, about: WebappAttempt, instance: Instance) -> Preparation:
    found = None if item.prepare is None else await item.prepare.prepared(about, instance.view)
    if found is not None and not isinstance(found, Preparation):
        where = item.prepare.where if item.prepare else ""
        raise ConfigError(f"{where} returned {found!r}: it has to be a Preparation or None")
    return found or Preparation()


def _ready(item: Item, about: WebappAttempt, plan: Preparation) -> WebappAttempt:
    """Return the attempt as it is recorded: with the preparation's values, at the instance's own address."""
    values = {**about.values, **plan.values}
    task = filled_task(about.attempt.task, item.given, values, plan.instruction)
    start = plan.start or with_values(item.given.start, values)
    task = msgspec.structs.replace(task, website=about.base + start)
    return WebappAttempt(msgspec.structs.replace(about.attempt, task=task), about.instance, values)


def _oracle(solver: Hook | None, about: WebappAttempt) -> Callable[[], Agent] | None:
    if solver is None:
        return None
    found = solver

    def make() -> Agent:
        agent: Any = found.function(about)
        if not isinstance(agent, Agent):
            raise ConfigError(f"{found.where} returned {agent!r}, which is not an Agent")
        return agent

    return make
