"""A small drawing of a website in its own colours: what its family of websites looks like, without a browser."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import lru_cache
from xml.sax.saxutils import escape

from webgym.rng import Rng
from webgym_hermetic.kit.palettes import Colours, colours
from webgym_hermetic.site import Site

WIDTH, HEIGHT = 320, 200
_HEAD = 30
_PAD = 14
_CORNERS = {"square": 0, "soft": 4, "round": 9}
_GAPS = {"compact": 6, "regular": 9, "airy": 13}


@lru_cache(maxsize=512)
def sketch(site: Site) -> str:
    """Return the drawing as SVG."""
    pen = _Pen(site)
    parts = "".join([*pen.head(), *_DRAWN[site.family](pen)])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}" height="{HEIGHT}">'
        f"{parts}</svg>"
    )


class _Pen:
    """Draws boxes and lines of text in a site's look."""

    def __init__(self, site: Site) -> None:
        self.site = site
        self.dice = Rng("sketch", site.seed)
        self.inks: Colours = colours(site.look.palette, dark=site.look.dark)
        self.corner = _CORNERS[site.look.corners]
        self.gap = _GAPS[site.look.density]
        self.top = _HEAD + _PAD

    def box(self, x: float, y: float, width: float, height: float, ink: str, corner: float | None = None) -> str:
        radius = min(self.corner if corner is None else corner, width / 2, height / 2)
        fill = self.inks[ink]
        return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}" rx="{radius:g}" fill="{fill}"/>'

    def card(self, x: float, y: float, width: float, height: float) -> str:
        return self.box(x, y, width, height, "line") + self.box(x + 1, y + 1, width - 2, height - 2, "surface")

    def words(self, x: float, y: float, width: float, ink: str = "muted", height: float = 4) -> str:
        """Return a line of text, as one sees it from afar."""
        return self.box(x, y, width * (0.6 + 0.4 * self.dice.unit()), height, ink, corner=height / 2)

    def head(self) -> Iterator[str]:
        brand = escape(self.site.brand)
        yield self.box(0, 0, WIDTH, HEIGHT, "bg", corner=0)
        yield self.box(0, 0, WIDTH, _HEAD, "head", corner=0)
        yield self.box(0, _HEAD - 1, WIDTH, 1, "head-line", corner=0)
        yield (
            f'<text x="{_PAD}" y="20" font-family="system-ui, sans-serif" font-size="13" font-weight="700" '
            f'fill="{self.inks["head-text"]}">{brand}</text>'
        )

    def columns(self, count: int, left: float = _PAD, right: float = WIDTH - _PAD) -> list[tuple[float, float]]:
        """Return left edge and width of equal columns."""
        width = (right - left - (count - 1) * self.gap) / count
        return [(left + place * (width + self.gap), width) for place in range(count)]


def _shop(pen: _Pen) -> Iterator[str]:
    height = (HEIGHT - pen.top - _PAD - pen.gap) / 2
    for row in range(2):
        y = pen.top + row * (height + pen.gap)
        for x, width in pen.columns(4):
            yield pen.card(x, y, width, height)
            yield pen.box(x + 5, y + 5, width - 10, height - 26, pen.dice.pick(("accent-soft", "soft", "soft")))
            yield pen.words(x + 5, y + height - 17, width - 14, "text")
            yield pen.words(x + 5, y + height - 9, width / 2, "accent")


def _travel(pen: _Pen) -> Iterator[str]:
    yield pen.box(_PAD, pen.top, WIDTH - 2 * _PAD, 44, "accent", corner=pen.corner)
    for x, width in pen.columns(4, _PAD + 10, WIDTH - _PAD - 10):
        yield pen.box(x, pen.top + 13, width, 18, "surface")
        yield pen.words(x + 5, pen.top + 20, width - 14)
    y = pen.top + 44 + pen.gap
    while y + 26 <= HEIGHT - 6:
        yield pen.card(_PAD, y, WIDTH - 2 * _PAD, 26)
        yield pen.words(_PAD + 10, y + 7, 60, "text")
        yield pen.words(_PAD + 10, y + 15, 90)
        yield pen.box(WIDTH - _PAD - 52, y + 6, 42, 14, "accent")
        y += 26 + pen.gap


def _forum(pen: _Pen) -> Iterator[str]:
    side = 74
    y = pen.top
    while y + 24 <= HEIGHT - 6:
        yield pen.card(_PAD, y, WIDTH - 2 * _PAD - side - pen.gap, 24)
        yield pen.box(_PAD + 7, y + 6, 12, 12, pen.dice.pick(("accent", "second", "line-strong")), corner=6)
        yield pen.words(_PAD + 26, y + 6, 130, "text")
        yield pen.words(_PAD + 26, y + 14, 80)
        y += 24 + pen.gap
    left = WIDTH - _PAD - side
    yield pen.card(left, pen.top, side, 66)
    for row in range(4):
        yield pen.words(left + 8, pen.top + 10 + row * 13, side - 18, "link" if row else "text")


def _mail(pen: _Pen) -> Iterator[str]:
    side = 62
    yield pen.box(_PAD, pen.top, side, 16, "accent")
    for row in range(6):
        yield pen.words(_PAD, pen.top + 26 + row * 14, side - 10, "text" if row == 0 else "muted")
    left = _PAD + side + pen.gap
    yield pen.card(left, pen.top, WIDTH - _PAD - left, HEIGHT - pen.top - _PAD + 6)
    y = pen.top + 6
    while y + 14 <= HEIGHT - 12:
        ink = "text" if pen.dice.chance(0.35) else "muted"
        yield pen.box(left + 8, y + 4, 6, 6, "line-strong", corner=min(2, pen.corner))
        yield pen.words(left + 22, y + 5, 46, ink)
        yield pen.words(left + 76, y + 5, 104, ink)
        yield pen.box(left + 6, y + 14, WIDTH - _PAD - left - 12, 0.6, "line", corner=0)
        y += 15


def _tracker(pen: _Pen) -> Iterator[str]:
    for x, width in pen.columns(4):
        yield pen.words(x, pen.top, width * 0.7, "text", height=5)
        y = pen.top + 12
        for _ in range(pen.dice.pick((1, 2, 3, 3, 4))):
            yield pen.card(x, y, width, 28)
            yield pen.words(x + 6, y + 7, width - 14, "text")
            yield pen.box(x + 6, y + 17, 18, 6, pen.dice.pick(("accent", "second", "ok", "warn", "danger")), corner=3)
            y += 28 + min(6, pen.gap)


def _news(pen: _Pen) -> Iterator[str]:
    wide = 176
    yield pen.box(_PAD, pen.top, wide, 66, "accent-soft")
    yield pen.box(_PAD + 96, pen.top + 12, 60, 54, "second", corner=pen.corner)
    yield pen.words(_PAD, pen.top + 76, wide, "text", height=8)
    yield pen.words(_PAD, pen.top + 90, wide * 0.8, "text", height=8)
    for row in range(4):
        yield pen.words(_PAD, pen.top + 106 + row * 9, wide)
    left = _PAD + wide + max(10, pen.gap)
    for row in range(4):
        y = pen.top + row * 36
        yield pen.words(left, y, WIDTH - _PAD - left, "text", height=6)
        yield pen.words(left, y + 11, WIDTH - _PAD - left)
        yield pen.words(left, y + 18, WIDTH - _PAD - left)


_DRAWN: dict[str, Callable[[_Pen], Iterator[str]]] = {
    "shop": _shop,
    "travel": _travel,
    "forum": _forum,
    "mail": _mail,
    "tracker": _tracker,
    "news": _news,
}
