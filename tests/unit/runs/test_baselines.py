"""What runs are compared with."""

from __future__ import annotations

from webgym.pipeline.runs.baselines import floors_for


def test_the_floors_of_the_test_split_are_known_with_their_commands():
    floors = {floor.agent: floor for floor in floors_for("test")}
    assert floors["oracle"].rate == 1
    assert floors["random clicker"].rate == floors["does nothing"].rate == 0
    for floor in floors.values():
        assert floor.low <= floor.rate <= floor.high
        assert floor.command.startswith("webgym eval agent.use=")


def test_other_splits_have_floors_of_their_own_or_none():
    assert floors_for("train") == []
