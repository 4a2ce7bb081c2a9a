"""The chart of the abstention curve."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from webgym.judge.calibration.abstention import CertaintyThreshold
from webgym.judge.calibration.page.figures import percent
from webgym.judge.calibration.page.markup import Markup, h, joined

_WIDTH, _HEIGHT = 640.0, 260.0
_LEFT, _RIGHT, _TOP, _BOTTOM = 46.0, 14.0, 12.0, 34.0


def abstention_chart(curve: Sequence[CertaintyThreshold]) -> Markup:
    """Draw accuracy and false-positive rate over coverage."""
    if not curve:
        return h("p", "No attempt has both a verdict and ground truth.", class_="quiet")
    points = sorted(curve, key=lambda one: one.coverage)
    return h(
        "svg",
        _grid(),
        _band(points, lambda one: (one.accuracy.low, one.accuracy.high), "accuracy"),
        _band(points, lambda one: (one.false_positive_rate.low, one.false_positive_rate.high), "false-positive"),
        _line(points, lambda one: one.accuracy.estimate, "accuracy"),
        _line(points, lambda one: one.false_positive_rate.estimate, "false-positive"),
        viewBox=f"0 0 {_WIDTH:g} {_HEIGHT:g}",
        class_="chart",
        role="img",
        aria_label="Accuracy and false positives over coverage",
    )


def _grid() -> Markup:
    lines: list[Markup] = []
    for step in range(5):
        share = step / 4
        y = _y(share)
        lines.append(h("line", x1=_LEFT, x2=_WIDTH - _RIGHT, y1=y, y2=y, class_="grid"))
        lines.append(h("text", percent(share), x=_LEFT - 8, y=y + 4, text_anchor="end"))
        lines.append(h("text", percent(share), x=_x(share), y=_HEIGHT - 18, text_anchor="middle"))
    lines.append(
        h("text", "coverage (share of attempts judged)", x=_x(0.5), y=_HEIGHT - 4, text_anchor="middle", class_="quiet")
    )
    return joined(*lines)


def _line(points: Sequence[CertaintyThreshold], value: Callable[[CertaintyThreshold], float], name: str) -> Markup:
    places = " ".join(f"{_x(point.coverage):.1f},{_y(value(point)):.1f}" for point in points)
    dots = [
        h("circle", cx=round(_x(point.coverage), 1), cy=round(_y(value(point)), 1), r=3.5, class_=f"dot {name}")
        for point in points
    ]
    return joined(h("polyline", points=places, class_=f"curve {name}"), *dots)


def _band(
    points: Sequence[CertaintyThreshold], ends: Callable[[CertaintyThreshold], tuple[float, float]], name: str
) -> Markup:
    low = [f"{_x(point.coverage):.1f},{_y(ends(point)[0]):.1f}" for point in points]
    high = [f"{_x(point.coverage):.1f},{_y(ends(point)[1]):.1f}" for point in reversed(points)]
    if len(points) == 1:  # a band of zero width would be invisible
        x = _x(points[0].coverage)
        return h("line", x1=x, x2=x, y1=_y(ends(points[0])[0]), y2=_y(ends(points[0])[1]), class_=f"whisker {name}")
    return h("polygon", points=" ".join(low + high), class_=f"band {name}")


def _x(share: float) -> float:
    return _LEFT + share * (_WIDTH - _LEFT - _RIGHT)


def _y(share: float) -> float:
    return _HEIGHT - _BOTTOM - share * (_HEIGHT - _TOP - _BOTTOM)
