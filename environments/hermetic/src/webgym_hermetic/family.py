"""Families of websites: a world from a seed, a state from events, pages from both, and goals to run on them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from webgym.errors import SiteStateError
from webgym.records.base import Record
from webgym.rng import Rng
from webgym_hermetic.goal import Goal
from webgym_hermetic.site import Site

Scalar = str | int | float | bool | None


class Event(Record, frozen=True):
    """A change of a site's state. Replaying a session's event log rebuilds its state."""

    name: str
    args: dict[str, Scalar | list[Scalar]] = {}


@dataclass(frozen=True, slots=True)
class Visit:
    """A request, with everything that the reply may depend on."""

    site: Site
    world: Any
    state: Any
    path: str
    query: Mapping[str, str]
    form: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Page:
    """Reply with a page rendered from a template of the site's structure."""

    template: str
    title: str
    context: Mapping[str, Any] = field(default_factory=dict[str, Any])
    status: int = 200
    part: bool = False
    """A fragment fetched by a script: not a page of its own, so not recorded as a visit."""


@dataclass(frozen=True, slots=True)
class Go:
    """Reply with a redirect, after applying the events."""

    to: str
    events: tuple[Event, ...] = ()
    notice: str = ""
    """Shown once, on the next page: "Added to your cart"."""


@dataclass(frozen=True, slots=True)
class Data:
    """Reply with JSON for a script of the page: suggestions, more rows."""

    value: Any


@dataclass(frozen=True, slots=True)
class Missing:
    """Reply with the 404 page."""


Reply = Page | Go | Data | Missing
Handler = Callable[..., Reply]
Apply = Callable[[Any, Any, Event], Any]
"""(world, state, event) → the next state. Raises SiteStateError if the event is not valid in this state."""
Make = Callable[[Rng, Any], tuple[Goal, ...] | None]
"""(rng, world) → the goals of one task, or None if this draw yields no valid task."""


@dataclass(frozen=True, slots=True)
class Template:
    """A task template: draws the goals of a task from a world."""

    name: str
    facts: range
    """Possible numbers of facts of its tasks."""
    make: Make


@dataclass(frozen=True, slots=True)
class _Route:
    method: str
    pattern: re.Pattern[str]
    handler: Handler


@dataclass(frozen=True, slots=True)
class Family:
    """A family of websites: how to generate, serve and change its sites, and the tasks on them."""

    name: str
    title: str
    """Human-readable name: "Online shops"."""
    structures: tuple[str, ...]
    """Page structures, each a folder of HTML templates. The last one is held out: no training site uses it."""
    brand_endings: tuple[str, ...]
    """Last words of brand names; no two families share one."""
    world: Callable[[Site], Any]
    """Generates the immutable initial content of a site from its seed."""
    start: Callable[[Any], Any]
    """Returns the initial state of a session, given the world."""
    events: Mapping[str, Apply]
    goals: tuple[type[Goal], ...]
    templates: tuple[Template, ...]
    routes: list[_Route] = field(default_factory=list[_Route])

    def get(self, path: str) -> Callable[[Handler], Handler]:
        """Register a GET handler. `{name}` in the path matches one segment and is passed as a keyword argument."""
        return self._route("GET", path)

    def post(self, path: str) -> Callable[[Handler], Handler]:
        """Register a POST handler."""
        return self._route("POST", path)

    def respond(self, method: str, visit: Visit) -> Reply:
        """Dispatch a request to the first matching route."""
        for route in self.routes:
            if route.method == method and (match := route.pattern.fullmatch(visit.path)):
                return route.handler(visit, **match.groupdict())
        return Missing()

    def apply(self, world: Any, state: Any, event: Event) -> Any:
        """Return the state after an event.

        Raises:
            SiteStateError: The event is unknown, or not valid on this site or in this state.
        """
        apply = self.events.get(event.name)
        if apply is None:
            raise SiteStateError(f"a {self.name} has no event {event.name!r}; it has {', '.join(self.events)}")
        try:
            return apply(world, state, event)
        except (KeyError, TypeError, ValueError) as error:
            raise SiteStateError(f"event {event.name!r} with {event.args} does not fit: {error}") from error

    def _route(self, method: str, path: str) -> Callable[[Handler], Handler]:
        pattern = re.compile(re.sub(r"\\{(\w+)\\}", r"(?P<\1>[^/]+)", re.escape(path)))

        def register(handler: Handler) -> Handler:
            self.routes.append(_Route(method, pattern, handler))
            return handler

        return register
