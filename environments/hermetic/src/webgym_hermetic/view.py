"""The input and output of oracles: a view of the session, and the intent to act on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from urllib.parse import parse_qsl, urlsplit

from webgym.records.observation import Element
from webgym_hermetic.site import Site

_DEEPEST = 6
"""Maximum depth of controls that are themselves hidden behind other controls."""
_LONGEST_PAGE = 5
"""Page numbers with this many digits or more are ignored."""


@dataclass(frozen=True, slots=True)
class Tap:
    """Click an element, after scrolling to it, revealing it or dismissing what covers it as needed."""

    element: Element


@dataclass(frozen=True, slots=True)
class Write:
    """Replace the content of a field by this text."""

    element: Element
    text: str
    submit: bool = False


@dataclass(frozen=True, slots=True)
class Choose:
    """Select an option of a native select by value."""

    element: Element
    option: str


@dataclass(frozen=True, slots=True)
class Bring:
    """Scroll an element into view, such as the end of an infinite list."""

    element: Element


@dataclass(frozen=True, slots=True)
class Home:
    """Navigate to the site's home page, the way out of dead ends."""


Intent = Tap | Write | Choose | Bring | Home


@dataclass(frozen=True)
class View:
    """What an oracle sees at one step: the page with every element, and the site's state."""

    site: Site
    world: Any
    state: Any
    visits: tuple[str, ...]
    """Path and query of every page shown, oldest first."""
    url: str
    elements: tuple[Element, ...]
    stuck: int = 0
    """0 if the previous action had an effect; otherwise a number that changes every step, used to vary the next try."""

    @cached_property
    def path(self) -> str:
        return urlsplit(self.url).path or "/"

    @cached_property
    def query(self) -> dict[str, str]:
        return dict(parse_qsl(urlsplit(self.url).query))

    @cached_property
    def page(self) -> int:
        """The page number of a list according to the URL; 1 if missing or invalid."""
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
        """Return the element with this test id, in view or not; if there are several, the easiest to reach."""
        return self._by_key.get(key)

    def starting(self, prefix: str) -> Iterator[Element]:
        """Iterate over the elements whose test id has this prefix, in document order."""
        return (element for element in self.elements if element.key.startswith(prefix))

    def tap(self, *keys: str) -> Tap | None:
        """Return a tap on the first of these test ids that can be shown."""
        for key in keys:
            if (element := self.find(key)) and self.can_be_shown(element):
                return Tap(element)
        return None

    def link(self, path: str) -> Tap | None:
        """Return a tap on a link to exactly this path, including any query."""
        best: Element | None = None
        for element in self.elements:
            if element.href == path and self.can_be_shown(element) and (best is None or _better(element, best)):
                best = element
        return Tap(best) if best else None

    def can_be_shown(self, element: Element, depth: int = 0) -> bool:
        """Return whether an element is shown or can be revealed. Parts meant for larger viewports cannot."""
        if element.shown:
            return True
        opener = self.find(element.via) if element.via else None
        return opener is not None and depth < _DEEPEST and self.can_be_shown(opener, depth + 1)

    def visited(self, path: str) -> bool:
        """Return whether a page with this path, or path and query, was visited."""
        return any(visit == path or visit.partition("?")[0] == path for visit in self.visits)


def _better(one: Element, other: Element) -> bool:
    return _ease(one) < _ease(other)


def _ease(element: Element) -> tuple[bool, bool, bool]:
    return (element.disabled, not element.shown, element.point is None)
