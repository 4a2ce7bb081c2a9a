"""What docs/policies.md shows is accepted, runs, and tells the defaults as they are."""

from __future__ import annotations

import ast
import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from webgym.agent.policies.served import ServedPolicy
from webgym.llm.config import ModelConfig
from webgym.llm.sampling import sampling_of
from webgym.testing.policy_server import serving_policy

PAGE = (Path(__file__).parents[3] / "docs" / "policies.md").read_text("utf-8")
LEAST = {"servers": ["http://127.0.0.1:8000/v1"], "model": "m"}


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def _settings() -> list[dict[str, Any]]:
    return [tomllib.loads(block) for block in _blocks("toml")]


def test_every_configuration_is_accepted():
    assert len(_settings()) == 6
    for shown in _settings():
        ModelConfig.model_validate(LEAST | shown)


def test_the_waits_shown_are_the_defaults():
    shown = next(shown for shown in _settings() if "timeouts" in shown)
    default = ModelConfig.model_validate(LEAST)
    assert default.retries.model_dump() == shown["retries"]
    assert default.timeouts.model_dump(exclude={"probe"}) == shown["timeouts"]


def test_what_is_shown_for_vllm_and_sglang_gives_logprobs_that_can_be_trained_on():
    own = [ModelConfig.model_validate(shown) for shown in _settings() if shown.get("api") in {"vllm", "sglang"}]
    assert len(own) == 3
    assert all(sampling_of(config).exact_logprobs for config in own)


async def _run(code: str, names: dict[str, Any]) -> None:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    outcome = eval(compile(code, "policies.md", "exec", flags=flags), names)
    if outcome is not None:
        await outcome


@pytest.mark.anyio
async def test_every_program_runs(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    hosted = next(shown for shown in _settings() if "budget" in shown)
    programs = _blocks("python")
    assert len(programs) == 4
    async with serving_policy("hello") as server:
        names: dict[str, Any] = {"ServedPolicy": ServedPolicy}
        names |= {"hosted": ModelConfig.model_validate(hosted), "judge": ModelConfig.model_validate(hosted)}
        for program in programs:
            await _run(program.replace("http://127.0.0.1:8000/v1", server.url), names)
        assert server.count == 1
        assert names["completion"].text == "hello"
