"""Where actions point."""

from __future__ import annotations

import pytest

from webgym.records.action import Answer, Click, Drag, MarkRef, Point, Scroll, TypeText
from webgym.records.observation import Box, Mark, Observation
from webgym.viewer.aim import Aim, AimPoint, aim

BOX = Box(100, 50, 40, 20)
SEEN = Observation(1, "http://a.test/", marks=(Mark(7, "button", "Buy", BOX),))


@pytest.mark.parametrize(
    ("action", "found"),
    [
        (Click(Point(3, 4)), Aim(AimPoint(3, 4))),
        (Click(MarkRef(7)), Aim(AimPoint(120, 60, BOX))),
        (Click(MarkRef(8)), Aim()),
        (TypeText("x"), Aim()),
        (TypeText("x", MarkRef(7)), Aim(AimPoint(120, 60, BOX))),
        (Scroll(dy=10), Aim(AimPoint(640, 384))),
        (Drag(Point(1, 2), MarkRef(7)), Aim(AimPoint(1, 2), AimPoint(120, 60, BOX))),
        (Answer("x"), Aim()),
    ],
)
def test_an_action_points_at_its_target(action, found):
    assert aim(action, None, SEEN) == found


def test_what_the_agent_says_it_aims_at_is_drawn_around_its_click():
    assert aim(Click(Point(110, 55)), BOX, SEEN) == Aim(AimPoint(110, 55, BOX))
