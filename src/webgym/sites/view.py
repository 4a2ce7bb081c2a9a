"""What an oracle sees and what it can want."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from webgym.records.observation import Element
from webgym.sites.site import Site

_DEEPEST = 6
"""Things that hide each other."""
_LONGEST_PAGE = 5
"""Digits."""


@dataclass(frozen=True, slots=True)
class Tap:
    """Click it, after whatever that takes: scrolling there, opening what hides it, closing what covers it."""

    element: Element


@dataclass(frozen=True, slots=True)
class Write:
    """Put this text into it, in place of what is there."""

    element: Element
    text: str
    submit: bool = False


@dataclass(frozen=True, slots=True)
class Choose:
    """Choose an option of a native select, by its value."""

    element: Element
    option: str


@dataclass(frozen=True, slots=True)
class Bring:
    """Scroll until it can be seen: lists that load more when their end comes into view."""

    element: Element


@dataclass(frozen=True, slots=True)
class Home:
    """Type the site's address: the way out of places that lead nowhere."""


Intent = Tap | Write | Choose | Bring | Home


@dataclass(frozen=True)
class View:
    """One moment of an attempt, as its oracle sees it: the page with every element, and the site's state."""

    site: Site
    world: Any
    state: Any
    visits: tuple[str, ...]
    """Path and query of every page shown, oldest first."""
    url: str
    elements: tuple[Element, ...]
    stuck: int = 0
    """Not 0 if the action before changed nothing, and another number each time: it is not worth repeating."""

    @cached_property
    def path(self) -> str:
        return urlsplit(self.url).path or "/"

    @cached_property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.url).query))

    @cached_property
    def page(self) -> int:
        """Of a list, as the address has it; 1 if it has none that makes sense."""
        asked = self.query.get("page", "1")
        return int(asked) if asked.isdecimal() and len(asked) < _LONGEST_PAGE else 1

    @cached_property
    def _by_key(self) -> dict[str, Element]:
        by_key: dict[str, Element] = {}
        for element in self.elements:
            if element.key and (element.key not in by_key or _better(element, by_key[element.key])):
                by_key[element.key] = element
        return by_key

    def find(self, key: str) -> Element | None:
        """The element with this test id, wherever on the page it is. The easiest to reach, if there are several."""
        return self._by_key.get(key)

    def starting(self, prefix: str) -> Iterator[Element]:
        """All elements whose test id starts so, in document order."""
        return (element for element in self.elements if element.key.startswith(prefix))

    def tap(self, *keys: str) -> Tap | None:
        """A tap on the first of these that is on the page."""
        for key in keys:
            if (element := self.find(key)) and self.can_be_shown(element):
                return Tap(element)
        return None

    def link(self, path: str) -> Tap | None:
        """A tap on a link to exactly this path, or path and query."""
        best: Element | None = None
        for element in self.elements:
            if element.href == path and self.can_be_shown(element) and (best is None or _better(element, best)):
                best = element
        return Tap(best) if best else None

    def can_be_shown(self, element: Element, depth: int = 0) -> bool:
        """Whether it is shown, or what shows it can be: some parts of a page are for larger screens only."""
        if element.shown:
            return True
        opener = self.find(element.via) if element.via else None
        return opener is not None and depth < _DEEPEST and self.can_be_shown(opener, depth + 1)

    def visited(self, path: str) -> bool:
        """Whether a page with this path (or path and query) was shown."""
        return any(visit == path or visit.partition("?")[0] == path for visit in self.visits)


def _better(one: Element, other: Element) -> bool:
    return _ease(one) < _ease(other)


def _ease(element: Element) -> tuple[bool, bool, bool]:
    return (element.disabled, not element.shown, element.point is None)
