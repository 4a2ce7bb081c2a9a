"""Charts as inline SVG: horizontal bars, columns, stacked bars, and a curve."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from html import escape

_WIDTH = 520
_NAME = 170
_ROW = 22
_NUMBER = 64


def lying(counted: Mapping[str, int], most: int = 25) -> str:
    """Draw a horizontal bar with its count for each name."""
    parts = {name: {"accent": number} for name, number in list(counted.items())[:most]}
    return stacked(parts)


def stacked(counted: Mapping[str, Mapping[str, int]]) -> str:
    """Draw a stacked bar for each name; the parts are distinguished by CSS class."""
    if not counted:
        return '<p class="quiet">nothing to show</p>'
    totals = {name: sum(parts.values()) for name, parts in counted.items()}
    largest = max(totals.values()) or 1
    room = _WIDTH - _NAME - _NUMBER
    rows: list[str] = []
    for place, (name, parts) in enumerate(counted.items()):
        top, left = place * _ROW, float(_NAME)
        shown = name or "(none)"
        rows.append(f'<text x="{_NAME - 8}" y="{top + 15}" text-anchor="end">{_short(shown)}</text>')
        for kind, number in parts.items():
            width = room * number / largest
            title = f"<title>{escape(shown)}, {escape(kind)}: {number:,}</title>" if len(parts) > 1 else ""
            rows.append(
                f'<rect class="{_class(kind)}" x="{left:.1f}" y="{top + 3}" width="{width:.1f}" height="{_ROW - 6}" '
                f'rx="2">{title}</rect>'
            )
            left += width
        rows.append(f'<text class="quiet" x="{left + 6:.1f}" y="{top + 15}">{totals[name]:,}</text>')
    return _svg(_WIDTH, len(counted) * _ROW, rows)


def standing(counted: Mapping[str, int], classes: Mapping[str, str], height: int = 190) -> str:
    """Draw a column for each name."""
    largest = max(counted.values(), default=0) or 1
    step = _WIDTH / max(1, len(counted))
    rows = [f'<line class="rule" x1="0" x2="{_WIDTH}" y1="{height - 22}" y2="{height - 22}"/>']
    for place, (name, number) in enumerate(counted.items()):
        middle, tall = (place + 0.5) * step, (height - 46) * number / largest
        rows.append(
            f'<rect class="{classes.get(name, "accent")}" x="{place * step + 2:.1f}" y="{height - 22 - tall:.1f}" '
            f'width="{step - 4:.1f}" height="{tall:.1f}" rx="2"><title>{escape(name)}: {number:,}</title></rect>'
        )
        rows.append(f'<text class="quiet" x="{middle:.1f}" y="{height - 6}" text-anchor="middle">{escape(name)}</text>')
        if number:
            top = height - 28 - tall
            rows.append(f'<text x="{middle:.1f}" y="{top:.1f}" text-anchor="middle">{_brief(number)}</text>')
    return _svg(_WIDTH, height, rows)


def curve(at: Sequence[int], shares: Sequence[float], height: int = 210) -> str:
    """Draw a cumulative share over a count, on a logarithmic axis."""
    if not at:
        return '<p class="quiet">no task has a website</p>'
    left, bottom = 44, height - 24
    span = math.log10(max(at[-1], 2))

    def place(number: int, share: float) -> tuple[float, float]:
        return left + (_WIDTH - left - 12) * math.log10(number) / span, bottom - (bottom - 12) * share

    rows: list[str] = []
    for share in (0.0, 0.25, 0.5, 0.75, 1.0):
        y = place(1, share)[1]
        rows.append(f'<line class="rule" x1="{left}" x2="{_WIDTH}" y1="{y:.1f}" y2="{y:.1f}"/>')
        rows.append(f'<text class="quiet" x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{share:.0%}</text>')
    power = 1
    while power <= at[-1]:
        x = place(power, 0)[0]
        rows.append(f'<text class="quiet" x="{x:.1f}" y="{height - 6}" text-anchor="middle">{_brief(power)}</text>')
        power *= 10
    points = [place(*pair) for pair in zip(at, shares, strict=True)]
    rows.append(f'<polyline class="curve" points="{" ".join(f"{x:.1f},{y:.1f}" for x, y in points)}"/>')
    for (x, y), number, share in zip(points, at, shares, strict=True):
        title = f"the {number:,} largest websites hold {share:.1%} of the tasks"
        rows.append(f'<circle class="accent" cx="{x:.1f}" cy="{y:.1f}" r="3.5"><title>{title}</title></circle>')
    return _svg(_WIDTH, height, rows)


def _svg(width: int, height: int, rows: Sequence[str]) -> str:
    return f'<svg viewBox="0 0 {width} {height}" role="img">{"".join(rows)}</svg>'


def _class(kind: str) -> str:
    return kind if kind in {"accent", "easy", "medium", "hard"} else "none"


def _short(name: str) -> str:
    return escape(name if len(name) <= 24 else f"{name[:23]}…")


def _brief(number: int) -> str:
    if number < 1000:
        return str(number)
    if number < 10_000:
        return f"{number / 1000:.1f}k".replace(".0k", "k")
    return f"{number / 1000:.0f}k" if number < 10**6 else f"{number / 10**6:.1f}M"
