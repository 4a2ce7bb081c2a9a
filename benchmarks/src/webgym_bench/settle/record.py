"""Records a tour of an application: loads of pages that its links lead to, and walks of actions on these pages."""

from __future__ import annotations

import random
import re
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from urllib.parse import urldefrag, urljoin, urlsplit

from webgym.errors import ConfigError
from webgym.records.action import Action, Back, Click, Navigate, Point, Scroll, TypeText
from webgym.records.observation import ActionFailure, Element, Mark, Observation
from webgym.records.session import Look
from webgym.stages import Browser, Session
from webgym_bench.settle.conditions import Conditions, site_of
from webgym_bench.settle.tour import Move, Tour, Walk

_LOOK = Look(screenshot=None, marks=True, elements=True, settle_seconds=10.0)
_LOADS_PER_WALK = 5
_ACTIONS_PER_WALK = 6
_SCROLL_EVERY = 4
_TRIES_PER_STEP = 3
"""Pages on which nothing can be clicked must not make the recording endless."""
_FIELDS = frozenset({"textbox", "searchbox", "combobox"})
_TEXT = "test"
# Ends the session or loses data; and what a browser does not show as a page.
_AVOIDED = re.compile(
    r"log\s*-?out|sign\s*-?out|log\s*off|delete|remove|shut\s*down|uninstall|reset|destroy", re.IGNORECASE
)
_FILES = re.compile(r"\.(zip|gz|tgz|csv|txt|json|xml|rss|pdf|png|jpe?g|svg|ico|whl|exe)$", re.IGNORECASE)


@dataclass
class Recording:
    """Records a tour through sessions of ours."""

    browser: Browser
    conditions: Conditions
    progress: Callable[[int], None]
    """Called with the number of steps so far."""
    _pages: list[str] = field(default_factory=list[str])
    """URLs that load."""
    _taken: set[tuple[str, str, str]] = field(default_factory=set[tuple[str, str, str]])
    """What was clicked already: path, role and name."""
    _steps: int = 0

    async def tour(self) -> Tour:
        """Return a tour of about as many steps as the conditions say.

        Raises:
            ConfigError: A start page cannot be loaded.
        """
        half = max(1, self.conditions.steps // 2)
        loads = await self._loads(half)
        walks = [Walk("loads", tuple(part)) for part in _parts(loads, _LOADS_PER_WALK)]
        choice = random.Random(self.conditions.seed)  # noqa: S311  nothing secret
        tries, acted = 0, 0
        while acted < self.conditions.steps - half and tries < _TRIES_PER_STEP * half:
            walk = await self._walk(self._pages[tries % len(self._pages)], choice)
            tries += 1
            if len(walk.moves) > 1:
                walks.append(walk)
                acted += len(walk.moves)
        return Tour(tuple(walks))

    async def _loads(self, most: int) -> list[Move]:
        """Load pages breadth first, along links within the site."""
        moves: list[Move] = []
        queue, met = deque(self.conditions.urls), set(self.conditions.urls)
        async with self.browser.open(self.conditions.spec) as session:
            while queue and len(moves) < most:
                url = queue.popleft()
                seen = (await session.step(Navigate(url), _LOOK)).observation
                if why := _trouble(seen, url):
                    if url in self.conditions.urls:
                        raise ConfigError(f"{url} cannot be loaded: {why}")
                    continue
                self._pages.append(url)
                moves.append(self._told(Navigate(url), seen))
                for link in _links(seen):
                    if link not in met:
                        met.add(link)
                        queue.append(link)
        return moves

    async def _walk(self, start: str, choice: random.Random) -> Walk:
        """Act on a page and on those that its elements lead to, until the walk is long enough or leaves the site."""
        moves: list[Move] = []
        async with self.browser.open(self.conditions.spec) as session:
            seen = (await session.step(Navigate(start), _LOOK)).observation
            if _trouble(seen, start):
                return Walk("actions", ())
            moves.append(self._told(Navigate(start), seen))
            while len(moves) <= _ACTIONS_PER_WALK and (action := self._next(seen, len(moves), choice)):
                now = await self._take(session, action, start)
                if now is None:
                    break
                moves.append(self._told(action, now))
                if seen.url != now.url and isinstance(action, Click) and choice.random() < 1 / _SCROLL_EVERY:
                    now = await self._take(session, Back(), start) or now
                    moves.append(self._told(Back(), now))
                seen = now
        return Walk("actions", tuple(moves))

    async def _take(self, session: Session, action: Action, start: str) -> Observation | None:
        """Take a step; None if it led where the other systems would not follow."""
        now = (await session.step(action, _LOOK)).observation
        stays = site_of(now.url) == site_of(start) and len(now.tabs) == 1 and not now.downloads
        return now if stays and now.dialog is None and not now.closed_dialogs and not _trouble(now, start) else None

    def _next(self, seen: Observation, step: int, choice: random.Random) -> Action | None:
        """Choose an action that was not recorded yet."""
        below = seen.scroll.height - seen.viewport.height - seen.scroll.y
        if step % _SCROLL_EVERY == 0 and below > 0:
            return Scroll(dy=min(below, seen.viewport.height // 2), target=_middle(seen))
        fresh = [mark for mark in _usable(seen) if _key(seen, mark) not in self._taken]
        if not fresh:
            return None
        mark = choice.choice(fresh)
        self._taken.add(_key(seen, mark))
        box = mark.box
        place = Point(round(box.x + box.width / 2), round(box.y + box.height / 2))
        return TypeText(_TEXT, place) if mark.role in _FIELDS and mark.tag != "select" else Click(place)

    def _told(self, action: Action, seen: Observation) -> Move:
        self._steps += 1
        self.progress(self._steps)
        return Move(action, urlsplit(seen.url).path)


def _trouble(seen: Observation, url: str) -> str:
    """Return why the page does not belong in a tour; empty if it does."""
    match seen.effect:
        case ActionFailure(reason=reason, detail=detail):
            return detail or reason.value
        case _:
            pass
    if seen.error_status:
        return f"it answers with status {seen.error_status}"
    if site_of(seen.url) != site_of(url):
        return f"it leads to {seen.url[:100]}"
    return "it is a download" if seen.downloads else ""


def _links(seen: Observation) -> Iterator[str]:
    """Yield the URLs of the links within the site."""
    for element in seen.elements or ():
        url = urljoin(seen.url, urldefrag(element.href).url)
        usable = element.href and site_of(url) == site_of(seen.url) and not _FILES.search(urlsplit(url).path)
        if usable and not _AVOIDED.search(f"{element.text} {url}"):
            yield url


def _usable(seen: Observation) -> Iterator[Mark]:
    """Yield the marks to click: enabled, harmless by name, and not leading to another site."""
    away = {_place(element) for element in seen.elements or () if _leaves(element, seen)}
    for mark in seen.marks or ():
        harmless = not _AVOIDED.search(f"{mark.name} {mark.value}")
        if harmless and "disabled" not in mark.states and (round(mark.box.x), round(mark.box.y)) not in away:
            yield mark


def _leaves(element: Element, seen: Observation) -> bool:
    url = urljoin(seen.url, element.href)
    return bool(element.href) and (
        site_of(url) != site_of(seen.url) or bool(_AVOIDED.search(url) or _FILES.search(url))
    )


def _place(element: Element) -> tuple[int, int]:
    return round(element.box.x), round(element.box.y)


def _key(seen: Observation, mark: Mark) -> tuple[str, str, str]:
    return urlsplit(seen.url).path, mark.role, mark.name or f"{mark.box.x:.0f} {mark.box.y:.0f}"


def _middle(seen: Observation) -> Point:
    return Point(seen.viewport.width // 2, seen.viewport.height // 2)


def _parts(moves: Sequence[Move], size: int) -> Iterator[Sequence[Move]]:
    for start in range(0, len(moves), size):
        yield moves[start : start + size]
