"""Statuses can be told apart by everybody, in light and in dark."""

from __future__ import annotations

import itertools
import math
import re
from pathlib import Path

import pytest

from webgym.monitor.states import STATUSES

CSS = Path(__file__).parents[3] / "src/webgym/monitor/static/colours.css"
# Severe forms, after Machado, Oliveira and Fernandes (2009).
VISIONS = {
    "common": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protan": ((0.152, 1.053, -0.205), (0.115, 0.786, 0.099), (-0.004, -0.048, 1.052)),
    "deutan": ((0.367, 0.861, -0.228), (0.280, 0.673, 0.047), (-0.012, 0.043, 0.969)),
    "tritan": ((1.256, -0.077, -0.179), (-0.078, 0.931, 0.148), (0.005, 0.691, 0.304)),
}


def lab(red: float, green: float, blue: float) -> tuple[float, float, float]:
    def curve(value: float) -> float:
        return value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116

    x = curve((0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.95047)
    y = curve(0.2126 * red + 0.7152 * green + 0.0722 * blue)
    z = curve((0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.08883)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def seen_as(colour: str, vision: str) -> tuple[float, float, float]:
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    mixed = (sum(a * b for a, b in zip(row, linear, strict=True)) for row in VISIONS[vision])
    return lab(*(min(1.0, max(0.0, value)) for value in mixed))


def colours(theme: int) -> dict[str, str]:
    found = re.findall(r"--(card|status-\w+): light-dark\((#\w{6}), (#\w{6})\)", CSS.read_text())
    return {name.removeprefix("status-"): pair[theme] for name, *pair in found}


@pytest.mark.parametrize("vision", VISIONS)
@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_no_two_statuses_look_alike(theme, vision):
    palette = colours(theme)
    assert set(palette) == {*STATUSES, "card"}
    pairs = itertools.combinations(palette, 2)
    apart = {pair: math.dist(*(seen_as(palette[name], vision) for name in pair)) for pair in pairs}
    assert {pair: round(distance) for pair, distance in apart.items() if distance < 12} == {}


def test_every_status_has_a_background():
    named = set(re.findall(r'data-status="(\w+)"', CSS.read_text()))
    assert named == set(STATUSES)
