"""Figures with their confidence intervals, as text and as a bar."""

from __future__ import annotations

from webgym.judge.calibration.page.markup import Markup, h, joined
from webgym.store.statistics import Interval

_WIDTH, _HEIGHT = 100.0, 10.0
NOTHING = "—"


def percent(value: float) -> str:
    """Format a share, with one decimal unless it is exactly 0 or 1."""
    return f"{value:.1%}" if 0.0 < value < 1.0 else f"{value:.0%}"


def rate(found: Interval) -> Markup:
    """Render a share: estimate, interval, bar."""
    if found.n == 0:
        return h("span", NOTHING, class_="quiet")
    words = f"{percent(found.low)} to {percent(found.high)}"
    return joined(h("b", percent(found.estimate)), h("span", words, class_="range"), bar(found))


def kappa(found: Interval) -> Markup:
    """Render a kappa, between -1 and 1: estimate, interval, bar."""
    if found.n == 0:
        return h("span", NOTHING, class_="quiet")
    words = f"{found.low:.2f} to {found.high:.2f}"
    return joined(h("b", f"{found.estimate:.2f}"), h("span", words, class_="range"), bar(found))


def bar(found: Interval) -> Markup:
    """Draw the interval on a scale from 0 to 1."""
    low, middle, high = (min(1.0, max(0.0, bound)) * _WIDTH for bound in (found.low, found.estimate, found.high))
    centre = _HEIGHT / 2
    return h(
        "svg",
        h("line", x1=0.0, x2=_WIDTH, y1=centre, y2=centre, class_="rail"),
        h("line", x1=low, x2=max(high, low + 0.5), y1=centre, y2=centre, class_="span"),
        h("circle", cx=middle, cy=centre, r=2.6, class_="dot"),
        viewBox=f"-3 0 {_WIDTH + 6:g} {_HEIGHT:g}",
        preserveAspectRatio="xMinYMid meet",
        class_="bar",
        aria_hidden="true",
    )
