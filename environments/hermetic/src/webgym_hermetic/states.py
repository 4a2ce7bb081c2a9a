"""Session state: an event log per session and site. Forks share the log, which is immutable."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from webgym.errors import CapacityError, SiteUnknown
from webgym.records.base import Record
from webgym_hermetic.family import Event
from webgym_hermetic.registry import family
from webgym_hermetic.site import Site
from webgym_hermetic.weather import CLEAR, Weather, checked
from webgym_hermetic.worlds import world_of

MOST_STATES = 20_000
MOST_VISITORS = 500
MOST_EVENTS = 2_000
MOST_VISITS = 5_000


class Snapshot(Record, frozen=True):
    """Snapshot of a session on one site. With the site's seed, it is enough to rebuild the state anywhere."""

    site: str
    events: tuple[Event, ...] = ()
    visits: tuple[str, ...] = ()
    """Path and query of every page shown, oldest first."""


def replay(site: Site, events: Sequence[Event]) -> Any:
    """Return the state after applying these events to the initial state.

    Raises:
        SiteStateError: An event is not valid.
    """
    kind, world = family(site.family), world_of(site)
    state = kind.start(world)
    for event in events:
        state = kind.apply(world, state, event)
    return state


@dataclass(slots=True)
class Ledger:
    """The state and history of one session on one site."""

    site: Site
    state: Any
    events: tuple[Event, ...] = ()
    visits: tuple[str, ...] = ()
    notice: str = ""
    """Message to be shown on the next page."""

    def happen(self, events: Sequence[Event]) -> None:
        """Apply all of these events, or none if one is not valid."""
        kind, world = family(self.site.family), world_of(self.site)
        if len(self.events) + len(events) > MOST_EVENTS:
            raise CapacityError(f"a session may change a site {MOST_EVENTS} times")
        state = self.state
        for event in events:
            state = kind.apply(world, state, event)
        self.state, self.events = state, (*self.events, *events)

    def visit(self, address: str) -> None:
        if len(self.visits) < MOST_VISITS:
            self.visits = (*self.visits, address)

    def snapshot(self) -> Snapshot:
        return Snapshot(self.site.name, self.events, self.visits)


@dataclass(slots=True)
class Attempt:
    """One session across all the sites it visits."""

    weather: Weather = CLEAR
    ledgers: dict[str, Ledger] = field(default_factory=dict[str, Ledger])
    requests: int = 0
    """Requests so far. Injected latency and errors are drawn per request number."""
    strewn: set[str] = field(default_factory=set[str])
    """Sites whose cookies and storage, left in the browser by the previous attempt under this key, must be cleared."""

    def on(self, site: Site) -> Ledger:
        """Return the ledger of a site, created on first use."""
        if site.name not in self.ledgers:
            self.ledgers[site.name] = Ledger(site, replay(site, ()))
        return self.ledgers[site.name]

    def fork(self) -> Attempt:
        """Return an independent copy. Events and states are immutable, so they are shared."""
        ledgers = {
            name: Ledger(one.site, one.state, one.events, one.visits, one.notice) for name, one in self.ledgers.items()
        }
        return Attempt(self.weather, ledgers, self.requests)


class States:
    """The attempts of all sessions, by unguessable key."""

    def __init__(self, most: int = MOST_STATES) -> None:
        self._most = most
        self._attempts: dict[str, Attempt] = {}
        self._visitors: OrderedDict[str, Attempt] = OrderedDict()

    def __len__(self) -> int:
        return len(self._attempts)

    def begin(
        self, site: Site, events: Sequence[Event] = (), weather: Weather = CLEAR, visits: Sequence[str] = ()
    ) -> str:
        """Start an attempt with these events already applied and these pages shown, and return its key.

        Raises:
            SiteStateError: The events or the weather are not valid.
            CapacityError: Too many attempts are open, or there are too many events.
        """
        attempt = Attempt(checked(weather))
        ledger = attempt.on(site)
        ledger.happen(events)
        for address in visits:
            ledger.visit(address)
        return self._keep(attempt)

    def fork(self, key: str) -> str:
        """Fork an attempt and return the key of the copy."""
        return self._keep(self.get(key).fork())

    def get(self, key: str) -> Attempt:
        attempt = self._attempts.get(key)
        if attempt is None:
            raise SiteUnknown("there is no state with this key, or no longer")
        return attempt

    def restart(self, key: str, like: str) -> None:
        """Replace the attempt under `key` by a fork of `like`, so that a browser session can be reused.

        Raises:
            SiteUnknown: There is no attempt under one of the keys.
        """
        before, attempt = self.get(key), self.get(like).fork()
        attempt.strewn = before.strewn | before.ledgers.keys()
        self._attempts[key] = attempt

    def end(self, key: str) -> None:
        """Discard an attempt. Idempotent."""
        self._attempts.pop(key, None)

    def visitor(self, name: str) -> Attempt:
        """Return the attempt of a visitor without a state key, by cookie. Least recently used ones are evicted."""
        attempt = self._visitors.setdefault(name, Attempt())
        self._visitors.move_to_end(name)
        while len(self._visitors) > MOST_VISITORS:
            self._visitors.popitem(last=False)
        return attempt

    def _keep(self, attempt: Attempt) -> str:
        if len(self._attempts) >= self._most:
            raise CapacityError(f"{self._most} attempts are open; end some of them first")
        key = secrets.token_urlsafe(18)
        self._attempts[key] = attempt
        return key
