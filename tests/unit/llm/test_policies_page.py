"""What docs/policies.md shows is accepted, runs, and tells the defaults as they are."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from webgym.agent.policies.served import ServedPolicy
from webgym.llm.config import ModelConfig
from webgym.llm.sampling import sampling_of
from webgym.run.load import load_config
from webgym.testing.policy_server import serving_policy

PAGE = (Path(__file__).parents[3] / "docs" / "policies.md").read_text("utf-8")
LEAST = {"servers": ["http://127.0.0.1:8000/v1"], "model": "m"}


def _blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


@pytest.fixture
def shown(tmp_path) -> list[ModelConfig]:
    """What a run makes of each block as a file of its own, beside the least that a model needs."""
    found: list[ModelConfig] = []
    for block in _blocks("toml"):
        (tmp_path / "run.toml").write_text(block, "utf-8")
        model = load_config(tmp_path / "run.toml", base={"model": LEAST}).model
        assert model is not None
        found.append(model)
    return found


def test_every_configuration_is_accepted_as_the_file_of_a_run(shown):
    assert len(shown) == 6


def test_the_waits_shown_are_the_defaults(shown):
    waits = next(one for one in shown if "timeouts" in one.model_fields_set)
    default = ModelConfig.model_validate(LEAST)
    assert waits.retries.model_fields_set == set(type(default.retries).model_fields)
    assert waits.timeouts.model_fields_set == {*type(default.timeouts).model_fields} - {"probe"}
    assert (waits.retries, waits.timeouts) == (default.retries, default.timeouts)


def test_what_is_shown_for_vllm_and_sglang_gives_logprobs_that_can_be_trained_on(shown):
    own = [config for config in shown if config.api in {"vllm", "sglang"}]
    assert len(own) == 3
    assert all(sampling_of(config).exact_logprobs for config in own)


async def _run(code: str, names: dict[str, Any]) -> None:
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    outcome = eval(compile(code, "policies.md", "exec", flags=flags), names)
    if outcome is not None:
        await outcome


@pytest.mark.anyio
async def test_every_program_runs(monkeypatch: pytest.MonkeyPatch, shown):
    monkeypatch.setenv("OPENAI_API_KEY", "key")
    hosted = next(one for one in shown if one.budget is not None)
    programs = _blocks("python")
    assert len(programs) == 4
    async with serving_policy("hello") as server:
        names: dict[str, Any] = {"ServedPolicy": ServedPolicy}
        names |= {"hosted": hosted, "judge": hosted}
        for program in programs:
            await _run(program.replace("http://127.0.0.1:8000/v1", server.url), names)
        assert server.count == 1
        assert names["completion"].text == "hello"
