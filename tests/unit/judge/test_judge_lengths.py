"""How long the judge's replies may be, and that the server which docs/judge.md starts has room for them."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path

import pytest

from webgym.judge.cached_client import models_of
from webgym.judge.settings import JudgeSettings
from webgym.llm.config import ModelConfig
from webgym.run.load import config_from, load_config, to_toml

PAGE = (Path(__file__).parents[3] / "docs/judge.md").read_text("utf-8")
SERVED = {"servers": ("http://127.0.0.1:8001/v1",), "model": "m"}
NAMES = ("model", "keyframe_model", "blocked_model")
FULL, SMALL = 1280 * 768 // 32**2, 640 * 384 // 32**2
"""Tokens of a screenshot for Qwen3-VL."""


@pytest.mark.parametrize("name", NAMES)
def test_a_judge_may_say_more_than_a_policy_unless_told_otherwise(name):
    own = "judge." + name
    served = [f'{own}.servers=["http://127.0.0.1:8001/v1"]', f"{own}.model=m"]
    config = load_config(None, served)
    assert getattr(config.judge, name).max_tokens == 8192
    assert "max_tokens = 8192" in to_toml(config)
    assert config_from(to_toml(config)) == config
    assert getattr(load_config(None, [*served, f"{own}.max_tokens=2048"]).judge, name).max_tokens == 2048


def test_a_program_is_given_the_same_as_a_file():
    short, usual = ModelConfig(**SERVED, max_tokens=2048), ModelConfig(**SERVED)
    settings = JudgeSettings(model=usual, keyframe_model=short)
    assert {kind: model.max_tokens for kind, model in models_of(settings).items()} == {
        "relevance": 2048,
        "blocked": 2048,
        "verdict": 8192,
        "whole": 8192,
    }


def test_the_server_that_is_shown_takes_all_that_a_judge_sends_and_may_reply():
    line = next(line for line in re.findall(r"^vllm serve .*$", PAGE, re.MULTILINE))
    given = shlex.split(line)
    pictures = json.loads(given[given.index("--limit-mm-per-prompt") + 1])["image"]
    settings = JudgeSettings(model=ModelConfig(**SERVED))
    assert pictures >= max(settings.most_small, settings.most_shown)
    longest = max(settings.most_small * SMALL, settings.most_shown * FULL)
    # Asked again, it is shown what it said before.
    said = settings.rounds * settings.model.max_tokens
    assert int(given[given.index("--max-model-len") + 1]) >= longest + said + 8_000
