"""Observations made up for tests of lessons."""

from __future__ import annotations

from webgym.records.action import Point
from webgym.records.observation import Blob, Box, Capture, Effect, Element, Observation, TextLine, address_of
from webgym_nano.lessons.agent_settings import VIEWPORT

PICTURE = b"a picture"


def element(text: str, box: tuple[float, float, float, float], tag: str = "a", **more: object) -> Element:
    """One within reach, in its middle."""
    x, y, width, height = box
    point = Point(int(x + width / 2), int(y + height / 2))
    given: dict[str, object] = {"key": "", "point": point, "shown": True} | more
    return Element(tag=tag, text=text, box=Box(*box), **given)  # pyright: ignore[reportArgumentType]


def line(text: str, x: float, y: float, *, shown: bool = True, label: str = "", item: str = "") -> TextLine:
    return TextLine(text, Box(x, y, 7.0 * len(text), 16), shown=shown, label=label, item=item)


def observation(
    elements: tuple[Element, ...] = (),
    lines: tuple[TextLine, ...] = (),
    url: str = "http://shop.localhost/",
    effect: Effect | None = None,
    sequence: int = 1,
) -> Observation:
    shot = Blob(address_of(PICTURE), "image/jpeg", len(PICTURE))
    return Observation(sequence, url, viewport=VIEWPORT, elements=elements, lines=lines, effect=effect, screenshot=shot)


def capture(seen: Observation) -> Capture:
    return Capture(seen, {address_of(PICTURE): PICTURE})
