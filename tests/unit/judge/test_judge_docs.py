"""What docs/judge.md says of settings is so."""

from __future__ import annotations

import re
from pathlib import Path

from webgym.judge.settings import JudgeSettings
from webgym.run.load import load_config
from webgym.testing.vlm import MISBEHAVIOURS

PAGE = (Path(__file__).parents[3] / "docs/judge.md").read_text("utf-8")
MODEL = ('judge.model.servers=["http://127.0.0.1:8001/v1"]', "judge.model.model=m")
PRICES = "judge.model.prices={prompt=2.5, sampled=10.0}"


def test_every_setting_that_is_named_can_be_set():
    given = re.findall(r"`((?:judge|pool)\.[a-z_.]+=[^`]+)`", PAGE)
    assert len(given) >= 8
    for one in given:
        load_config(None, [*MODEL, PRICES, one])


def test_every_setting_that_is_named_without_a_value_is_there():
    fields = JudgeSettings.model_fields.keys() | {"use", "sqlite"}  # the last is a file
    named = set(re.findall(r"`judge\.([a-z_]+)`", PAGE))
    assert named
    assert named <= fields


def test_defaults_are_as_told():
    for name, told in re.findall(r"`judge\.([a-z_]+)`[^`(]*\((\d+)\)", PAGE):
        assert JudgeSettings.model_fields[name].default == int(told), name


def test_the_scripted_model_misbehaves_in_as_many_ways_as_told():
    assert "fifteen ways" in PAGE
    assert len(MISBEHAVIOURS) == 15
