"""The hermetic environment: tasks on the sites that ship with the package, their state and their exact judge."""

from __future__ import annotations

import os
import secrets
from collections.abc import AsyncGenerator, Callable, Iterable, Iterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

import msgspec

from webgym.browser.tokens import load_tokens
from webgym.environments.live import LiveEnvironment, RunningLive
from webgym.environments.optional import ServedEnvironment
from webgym.environments.spec import attempt_spec
from webgym.errors import CapacityError, ConfigError, SiteUnknown, TransportError
from webgym.records.environment import Egress, Faults, TaskSelection, TaskSupport
from webgym.records.observation import ActionFailure, FailedReason, Observation
from webgym.records.session import Look, SessionSpec
from webgym.records.task import Task
from webgym.records.task_row import TaskRow
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import Verdict
from webgym.rng import Rng
from webgym.stages import (
    Agent,
    AttemptSetup,
    AttemptTerms,
    Browser,
    EnvironmentNeeds,
    RunningEnvironment,
)
from webgym_hermetic.__main__ import SitesPlan
from webgym_hermetic.catalogue import MOST_SITES_PER_FAMILY, is_site, site_named, sites
from webgym_hermetic.control.client import SitesControl, connect_sites
from webgym_hermetic.finder import check_selection, find, places_of, selected_sites, task_named
from webgym_hermetic.ground import run_sites
from webgym_hermetic.host import ENDING, site_name_of
from webgym_hermetic.judge import judge
from webgym_hermetic.oracle.oracle import Oracle
from webgym_hermetic.parts import hermetic_part
from webgym_hermetic.rows import hermetic_rows
from webgym_hermetic.site import Site
from webgym_hermetic.states import Snapshot
from webgym_hermetic.tasks.generate import tasks_of
from webgym_hermetic.tasks.goals import goals_of
from webgym_hermetic.weather import Weather, blocks

_GLANCE = Look(screenshot=None)


class HermeticEnvironment:
    """Websites that are generated and served here. Tasks on any other website are left to the live web."""

    name = "hermetic"

    def tasks(self, selection: TaskSelection) -> Iterator[Task]:
        """Yield tasks round-robin over sites, so that even a few tasks cover many sites.

        Sites are generated lazily, which costs more than generating their tasks, so tasks are selected within each.
        """
        check_selection(selection)
        return _in_turn(
            [_selected(one, selection) for one in Rng("tasks", selection.seed).shuffled(selected_sites(selection))]
        )

    def find(self, name: str) -> TaskSelection:
        """Return the selection of the task of this name, such as `shop-6-012`, or of the first of a site, `shop-6`."""
        return find(name)

    def named(self, task_id: str) -> Task:
        """Return the task with this id: `SITE-NUMBER`, or `SITE-TEMPLATE-DRAW`."""
        return task_named(task_id)

    def places(self, selection: TaskSelection) -> Sequence[Callable[[], Sequence[Task]]]:
        """Return a function for each site that generates its tasks."""
        return places_of(selection)

    def rows(self, places: int, per_place: int) -> Iterator[TaskRow]:
        """Yield the first tasks of the first sites of each family."""
        return hermetic_rows(places, per_place)

    def part(self, row: TaskRow, groups: Sequence[int]) -> TaskRow:
        """Return the task of these fact groups, worded by the site's own templates, with its exact check."""
        return hermetic_part(row, groups)

    def supports(self, task: Task) -> TaskSupport:
        """Return that there is everything for tasks on the sites, and nothing for others."""
        there = bool(site_name_of(task.website))
        return TaskSupport(served=there, exact=there, oracle=there)

    def open(self, needs: EnvironmentNeeds) -> AbstractAsyncContextManager[RunningEnvironment]:
        """Serve the sites, or connect to where they are served, if one of the tasks is on them.

        Raises:
            ConfigError: There is no such site, or the fleet's own sites are not known.
        """
        names = {name for task in needs.tasks if (name := site_name_of(task.website))}
        if not names:
            return LiveEnvironment().open(needs)
        _check_exist(names, needs.sites_per_family)
        return self._served(needs, names) if needs.fleet else self._connected(needs, names)

    @asynccontextmanager
    async def _served(self, needs: EnvironmentNeeds, names: set[str]) -> AsyncGenerator[RunningEnvironment]:
        plan = SitesPlan(secrets.token_urlsafe(24), needs.sites_per_family)
        async with run_sites(plan) as server, connect_sites(server.control_url, plan.token) as control:
            yield RunningSites(control, needs.sites_per_family, names, Egress(routes=server.hermetic))

    @asynccontextmanager
    async def _connected(self, needs: EnvironmentNeeds, names: set[str]) -> AsyncGenerator[RunningEnvironment]:
        if not needs.address:
            raise ConfigError(
                "hermetic tasks on an existing fleet need sites within its reach: set browser.sites (Gymnasium: sites) "
                "to the control plane URL that `webgym sites serve` prints, or leave browser.url (fleet) empty"
            )
        async with connect_sites(needs.address, needs.token or _token()) as control:
            await control.status()
            yield RunningSites(control, needs.sites_per_family, names, Egress())

    def serve(self, token: str, sites_per_family: int) -> AbstractAsyncContextManager[ServedEnvironment]:
        """Serve the sites for the runs of others."""
        return self._shared(SitesPlan(token, sites_per_family))

    @asynccontextmanager
    async def _shared(self, plan: SitesPlan) -> AsyncGenerator[ServedEnvironment]:
        names = [one.name for one in sites(plan.per_family)]
        async with run_sites(plan) as server:
            pages = f"http://{names[0]}{ENDING}/ in sessions, and {len(names) - 1} more"
            told = f"sites  {pages}; control plane {server.control_url}"
            yield ServedEnvironment(Egress(routes=server.hermetic), told)


class RunningSites:
    """Attempts on served sites, each with a state of its own."""

    def __init__(self, control: SitesControl, per_family: int, names: Iterable[str], egress: Egress) -> None:
        self.egress = egress
        self._control = control
        self._per_family = per_family
        self._names = tuple(sorted(names))

    def prepare(self, attempt: Attempt, terms: AttemptTerms) -> AbstractAsyncContextManager[AttemptSetup]:
        """Prepare a fresh state on the task's site."""
        name = site_name_of(attempt.task.website)
        if not name:
            return RunningLive().prepare(attempt, terms)
        return self._prepared(attempt, terms, site_named(name, self._per_family))

    @asynccontextmanager
    async def _prepared(self, attempt: Attempt, terms: AttemptTerms, site: Site) -> AsyncGenerator[AttemptSetup]:
        async with self._control.state(site.name, weather=weather_of(terms.faults, attempt.seed)) as key:
            yield HermeticState(self._control, site, key, attempt, terms).setup()

    async def check(self, browser: Browser, spec: SessionSpec) -> None:
        """Check that all sites of the tasks are served, and that a session of the fleet reaches one of them.

        Raises:
            ConfigError: A site is not served, or the fleet does not reach it.
        """
        found = [site_named(name, self._per_family) for name in self._names]
        for site in _last_ones(found):
            try:
                async with self._control.state(site.name):
                    pass
            except SiteUnknown as error:
                raise ConfigError(
                    f"the sites at browser.sites do not include {site.name} of family {site.family}: start them with "
                    f"`webgym sites serve --sites {site.number + 1}`, or more"
                ) from error
        with suppress(CapacityError):
            await self._check_reaches(browser, spec, found[0])

    async def _check_reaches(self, browser: Browser, spec: SessionSpec, site: Site) -> None:
        address = f"http://{site.name}{ENDING}/"
        async with self._control.state(site.name) as key:
            async with browser.open(msgspec.structs.replace(spec, start_url=address, state_key=key)) as session:
                await session.step(None, _GLANCE)
            if not (await self._control.read(key, site.name)).visits:
                raise ConfigError(
                    f"sessions of the fleet at browser.url cannot reach {address} of browser.sites: each of its "
                    'nodes needs the sites\' address in node.chromium.egress.hermetic, such as "*.localhost:80" = '
                    '"ADDRESS:4300"'
                )


class HermeticState:
    """The state of a site in one attempt."""

    def __init__(self, control: SitesControl, site: Site, key: str, attempt: Attempt, terms: AttemptTerms) -> None:
        self.site = site
        self.key = key
        """For `SessionSpec.state_key`."""
        self._control = control
        self._attempt = attempt
        self._terms = terms

    async def snapshot(self) -> Snapshot:
        """Return the events and visits so far."""
        return await self._control.read(self.key, self.site.name)

    async def read(self) -> Snapshot:
        return await self.snapshot()

    async def reset(self) -> None:
        """Forget all events and visits."""
        await self.inject(Snapshot(self.site.name))

    async def inject(self, state: Snapshot) -> None:
        """Replace the state by a snapshot."""
        weather = weather_of(self._terms.faults, self._attempt.seed)
        async with self._control.state(self.site.name, state.events, weather, state.visits) as like:
            await self._control.restart(self.key, like)

    @asynccontextmanager
    async def fork(self) -> AsyncGenerator[AttemptSetup]:
        """Prepare the same attempt from a copy of the state."""
        key = await self._control.fork(self.key)
        try:
            yield self._setup_on(key)
        finally:
            await self._control.end(key)

    def setup(self) -> AttemptSetup:
        """Return the setup of the attempt on this state."""
        return AttemptSetup(
            attempt=self._attempt,
            spec=msgspec.structs.replace(attempt_spec(self._attempt, self._terms), state_key=self.key),
            judge=HermeticJudge(self, refuses=blocks(weather_of(self._terms.faults, self._attempt.seed))),
            state=self,
            oracle=self._oracle,
        )

    def _setup_on(self, key: str) -> AttemptSetup:
        return HermeticState(self._control, self.site, key, self._attempt, self._terms).setup()

    def _oracle(self) -> Agent:
        return Oracle(self.site, goals_of(self._attempt.task, self.site.family), self.snapshot)


class HermeticJudge:
    """Judges by the state of the site that the attempt took place on."""

    exact = True

    def __init__(self, state: HermeticState, *, refuses: bool = False) -> None:
        self._state = state
        self._blocked = "the site's weather" if refuses else ""

    async def judge(self, attempt: Attempt, steps: Sequence[Step], last: Observation | None, answer: str) -> Verdict:
        """Grade the attempt by the site's state, the pages shown and the answer.

        Raises:
            TransportError: The session never reached the site, which is not the agent's fault.
        """
        self._check_reached(steps[0].observation if steps else last)
        verdict = judge(self._state.site, attempt.task, await self._state.snapshot(), answer)
        return msgspec.structs.replace(verdict, judge="exact", blocked=self._blocked)

    def _check_reached(self, first: Observation | None) -> None:
        match first.effect if first else None:
            case ActionFailure(reason=FailedReason.EGRESS_REFUSED | FailedReason.NAVIGATION, detail=detail):
                raise TransportError(f"the session did not reach {self._state.site.name}{ENDING}: {detail}")
            case _:
                pass


def hermetic_state(setup: AttemptSetup) -> HermeticState:
    """Return the state of an attempt that takes place on a hermetic site.

    Raises:
        ConfigError: It takes place elsewhere.
    """
    if not isinstance(setup.state, HermeticState):
        raise ConfigError(f"{setup.attempt.task.website} is not a hermetic site")
    return setup.state


def weather_of(faults: Faults, seed: int) -> Weather:
    """Return the weather of an attempt with these faults."""
    return Weather(**msgspec.structs.asdict(faults), seed=seed)


def _token() -> str:
    return os.environ.get("WEBGYM_TOKEN") or load_tokens().client


def _in_turn(streams: list[Iterator[Task]]) -> Iterator[Task]:
    while streams:
        for stream in tuple(streams):
            task = next(stream, None)
            if task is None:
                streams.remove(stream)
            else:
                yield task


def _selected(site: Site, selection: TaskSelection) -> Iterator[Task]:
    return (task for task in tasks_of(site) if selection.wants(task.task_id, task.template, task.level))


def _check_exist(names: set[str], per_family: int) -> None:
    """Check that all sites of the tasks are served: a task file may use more sites than the run serves."""
    missing = sorted(name for name in names if not is_site(name, per_family))
    if not missing:
        return
    wanted = per_family
    while wanted < MOST_SITES_PER_FAMILY and not all(is_site(name, wanted) for name in missing):
        wanted = min(2 * wanted, MOST_SITES_PER_FAMILY)
    numbered = [site_named(name, wanted).number for name in missing if is_site(name, wanted)]
    if len(numbered) < len(missing):
        raise ConfigError(f"there is no hermetic website {missing[0]!r}; `webgym sites list` lists them")
    raise ConfigError(
        f"{len(missing)} of {len(names)} websites of the tasks, such as {missing[0]}, are not among the first "
        f"{per_family} of their family: set tasks.sites_per_family={max(numbered) + 1}"
    )


def _last_ones(found: Sequence[Site]) -> list[Site]:
    """Return the last site of each family: if it is served, so are all before it."""
    last: dict[str, Site] = {}
    for site in sorted(found, key=lambda one: one.number):
        last[site.family] = site
    return list(last.values())
