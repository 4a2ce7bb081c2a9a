"""What a family of websites is: a world from a seed, a state from events, pages from both, errands to run on them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from webgym.errors import SiteStateError
from webgym.records.base import Record
from webgym.sites.errand import Errand
from webgym.sites.rng import Rng
from webgym.sites.site import Site

Scalar = str | int | float | bool | None


class Event(Record, frozen=True):
    """Something that happened to a site's state: all that is stored of a session."""

    name: str
    args: dict[str, Scalar | list[Scalar]] = {}


@dataclass(frozen=True, slots=True)
class Visit:
    """One request for a page, with all that its answer may depend on."""

    site: Site
    world: Any
    state: Any
    path: str
    query: Mapping[str, str]
    form: Mapping[str, str] = field(default_factory=dict[str, str])


@dataclass(frozen=True, slots=True)
class Page:
    """A page to be shown, from a template of the site's structure."""

    template: str
    title: str
    context: Mapping[str, Any] = field(default_factory=dict[str, Any])
    status: int = 200
    part: bool = False
    """A piece of a page that a script fetches: not a page of its own, so not a visit."""


@dataclass(frozen=True, slots=True)
class Go:
    """What happened, and where to go next. The events are applied before the answer leaves."""

    to: str
    events: tuple[Event, ...] = ()
    notice: str = ""
    """Shown once, on the page that follows: "Added to your cart"."""


@dataclass(frozen=True, slots=True)
class Data:
    """JSON for a script of the page: suggestions, more rows."""

    value: Any


@dataclass(frozen=True, slots=True)
class Missing:
    """There is no such page."""


Reply = Page | Go | Data | Missing
Handler = Callable[..., Reply]
Apply = Callable[[Any, Any, Event], Any]
"""(world, state, event) → the next state. Raises SiteStateError if the event does not fit."""
Make = Callable[[Rng, Any], tuple[Errand, ...] | None]
"""(randomness, world) → the errands of one task, or None if this draw did not work out."""


@dataclass(frozen=True, slots=True)
class Template:
    """A kind of task: so many facts, made so."""

    name: str
    facts: range
    """How many facts its tasks have."""
    make: Make


@dataclass(frozen=True, slots=True)
class _Route:
    method: str
    pattern: re.Pattern[str]
    handler: Handler


@dataclass(frozen=True, slots=True)
class Family:
    """One family of websites."""

    name: str
    title: str
    """For people: "Online shops"."""
    structures: tuple[str, ...]
    """Folders of templates. The last one is held out: no training site has it."""
    brand_endings: tuple[str, ...]
    """What brands of this family end in; no other family has any of them."""
    world: Callable[[Site], Any]
    """Everything on the site before anyone touched it: frozen, of the seed alone."""
    start: Callable[[Any], Any]
    """The state a session begins with, from the world."""
    events: Mapping[str, Apply]
    errands: tuple[type[Errand], ...]
    templates: tuple[Template, ...]
    routes: list[_Route] = field(default_factory=list[_Route])

    def get(self, path: str) -> Callable[[Handler], Handler]:
        """Register a page. `{name}` in the path matches one segment and is passed to the handler."""
        return self._route("GET", path)

    def post(self, path: str) -> Callable[[Handler], Handler]:
        """Register where a form goes."""
        return self._route("POST", path)

    def respond(self, method: str, visit: Visit) -> Reply:
        """What the site answers."""
        for route in self.routes:
            if route.method == method and (match := route.pattern.fullmatch(visit.path)):
                return route.handler(visit, **match.groupdict())
        return Missing()

    def apply(self, world: Any, state: Any, event: Event) -> Any:
        """The state after an event.

        Raises:
            SiteStateError: There is no such event, or it does not fit this site or this state.
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
