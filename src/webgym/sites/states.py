"""What sessions did to the sites: a log of events per session and site, forked by sharing it."""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from webgym.errors import CapacityError, SiteUnknown
from webgym.records.base import Record
from webgym.sites.family import Event
from webgym.sites.registry import family
from webgym.sites.site import Site
from webgym.sites.weather import CLEAR, Weather, checked
from webgym.sites.worlds import world_of

MOST_STATES = 20_000
MOST_VISITORS = 500
MOST_EVENTS = 2_000
MOST_VISITS = 5_000


class Snapshot(Record, frozen=True):
    """All that is known of a session on one site: with the site's seed, enough to rebuild its state anywhere."""

    site: str
    events: tuple[Event, ...] = ()
    visits: tuple[str, ...] = ()
    """Path and query of every page shown, oldest first."""


def replay(site: Site, events: Sequence[Event]) -> Any:
    """The state that these events lead to.

    Raises:
        SiteStateError: One of them does not fit.
    """
    kind, world = family(site.family), world_of(site)
    state = kind.start(world)
    for event in events:
        state = kind.apply(world, state, event)
    return state


@dataclass(slots=True)
class Ledger:
    """One session on one site."""

    site: Site
    state: Any
    events: tuple[Event, ...] = ()
    visits: tuple[str, ...] = ()
    notice: str = ""
    """Waits to be shown on the next page."""

    def happen(self, events: Sequence[Event]) -> None:
        """Take all of these events, or none if one does not fit."""
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
    """One session, on all the sites it visits."""

    weather: Weather = CLEAR
    ledgers: dict[str, Ledger] = field(default_factory=dict[str, Ledger])
    requests: int = 0
    """Pages asked for so far: what the weather depends on."""
    strewn: set[str] = field(default_factory=set[str])
    """Sites that the attempt before, under the same key, may have left cookies of in the browser."""

    def on(self, site: Site) -> Ledger:
        """Its ledger for a site, begun when the site is first visited."""
        if site.name not in self.ledgers:
            self.ledgers[site.name] = Ledger(site, replay(site, ()))
        return self.ledgers[site.name]

    def fork(self) -> Attempt:
        """One that starts where this one is. Events and states are shared: they never change, only grow."""
        ledgers = {
            name: Ledger(one.site, one.state, one.events, one.visits, one.notice) for name, one in self.ledgers.items()
        }
        return Attempt(self.weather, ledgers, self.requests)


class States:
    """Every session's attempt, by its key. Keys cannot be guessed."""

    def __init__(self, most: int = MOST_STATES) -> None:
        self._most = most
        self._attempts: dict[str, Attempt] = {}
        self._visitors: OrderedDict[str, Attempt] = OrderedDict()

    def __len__(self) -> int:
        return len(self._attempts)

    def begin(self, site: Site, events: Sequence[Event] = (), weather: Weather = CLEAR) -> str:
        """A new attempt that starts with these events already happened; its key.

        Raises:
            SiteStateError: The events or the weather do not fit.
            CapacityError: There are too many attempts; ended ones must be removed.
        """
        attempt = Attempt(checked(weather))
        attempt.on(site).happen(events)
        return self._keep(attempt)

    def fork(self, key: str) -> str:
        """Another attempt that starts where this one is; its key."""
        return self._keep(self.get(key).fork())

    def get(self, key: str) -> Attempt:
        attempt = self._attempts.get(key)
        if attempt is None:
            raise SiteUnknown("there is no state with this key, or no longer")
        return attempt

    def restart(self, key: str, like: str) -> None:
        """Make of an attempt a new one that starts where another is: for a browser session that is used again.

        Raises:
            SiteUnknown: There is no attempt with one of these keys.
        """
        before, attempt = self.get(key), self.get(like).fork()
        attempt.strewn = before.strewn | before.ledgers.keys()
        self._attempts[key] = attempt

    def end(self, key: str) -> None:
        """Forget an attempt; nothing happens if it is forgotten already."""
        self._attempts.pop(key, None)

    def visitor(self, name: str) -> Attempt:
        """The attempt of a person who looks at the sites in a browser of their own. The oldest ones are forgotten."""
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
