"""Prompts that fit into what the policy takes; and a run in which none does."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.hermetic_setups import open_setup
from tests.unit.agent.test_context import TASK, looks, reply

from webgym.agent.budget import PromptBudget
from webgym.agent.policies.scripted import ScriptedPolicy
from webgym.agent.settings import AgentSettings
from webgym.agent.vlm import vlm_agent
from webgym.errors import ConfigError
from webgym.records.trajectory import Attempt, Cancellation, Ending, Failure, Infrastructure, Outcome
from webgym.run.agents import players_for
from webgym.run.checks import check_names
from webgym.run.load import load_config, load_config_as
from webgym.run.prompt_room import check_room, prompt_room
from webgym.run.rejected_prompts import ENOUGH, unless_rejected
from webgym.run.training.config import TrainConfig
from webgym.run.training.models import check_model
from webgym.store.weights_manner import MANNER_FILE
from webgym_nano.config import NanoConfig, picture_settings
from webgym_nano.shipped import checkpoint

pytestmark = pytest.mark.anyio
SERVED = ("model.servers=['http://127.0.0.1:9/v1']", "model.model=m")
REJECTED = Infrastructure(
    "policy_rejected", "a prompt of 2,700 tokens; prompt and reply together may have at most 2048"
)


@pytest.fixture
def model(tmp_path) -> Path:
    """A small model that nobody knows to be nano, as its pictures are larger: it is shown the web as any other."""
    folder, pictures = tmp_path / "model", "preprocessor_config.json"
    folder.mkdir()
    for file in checkpoint().iterdir():
        if file.name not in (MANNER_FILE, pictures):
            (folder / file.name).symlink_to(file)
    larger = picture_settings(NanoConfig(width=1280, height=768))
    (folder / pictures).write_bytes(msgspec.json.encode(larger))
    return folder


async def prompts(room: int | None, steps: int = 6, **settings: int):
    replies = [reply(number) for number in range(1, steps + 1)]
    return [
        (await agent.decide(one)).prompt
        for agent in [vlm_agent(TASK, ScriptedPolicy(replies), AgentSettings(**settings), room=room)]
        for one in looks(steps)
    ]


async def test_a_prompt_is_trimmed_to_what_the_policy_takes():
    free, tight = await prompts(None), await prompts(8000)
    assert PromptBudget(8000, 5).needs(free[-1].messages) > 8000
    assert all(PromptBudget(8000, 5).needs(one.messages) <= 8000 for one in tight)
    assert len(free[-1].pictures) > len(tight[-1].pictures) > 1
    assert await prompts(24_000) == free


async def test_what_is_shown_at_least_is_sent_though_it_is_estimated_as_too_much():
    """Estimates are high; whoever samples counts exactly."""
    least = await prompts(2500)
    assert [len(one.pictures) for one in least] == [1] * 6
    with pytest.raises(ConfigError, match="max_prompt_tokens is 2500"):
        await prompts(None, max_prompt_tokens=2500)


def test_a_policy_of_the_runs_own_bounds_prompts_and_a_server_of_others_does_not():
    assert prompt_room(load_config(None, ["policy.model=m", "policy.length=16384", "policy.max_tokens=512"])) == 15872
    assert prompt_room(load_config(None, ["policy.model=m", "policy.server=vllm"])) == 12288 - 512
    assert prompt_room(load_config(None, SERVED)) is None
    assert prompt_room(load_config(None, ["policy.model=nano"])) == 1024 - 96


async def test_an_agent_of_a_run_is_bounded_by_its_policy():
    config = load_config(None, ["policy.model=m", "policy.length=8512", "policy.max_tokens=512", "judge.use=none"])
    players = players_for(config, ScriptedPolicy([reply(number) for number in range(1, 7)]))
    agent = players.agent(open_setup(Attempt("a", TASK)))
    last = [(await agent.decide(one)).prompt for one in looks(6)][-1]
    assert PromptBudget(8000, 5).needs(last.messages) <= 8000


def test_the_defaults_have_room_for_all_that_an_agent_shows_by_default():
    config = load_config(None, ["policy.model=m"])
    room, agent = prompt_room(config), config.agent
    assert room is not None
    pictures = agent.max_images * (config.browser.width // 32) * (config.browser.height // 32)
    assert room >= pictures + 1_400 + agent.past_steps * 40 + 2_000


async def test_a_length_that_one_page_does_not_fit_into_is_refused_with_the_numbers(model):
    settings = [f"policy.model='{model}'", "policy.length=2048", "policy.max_tokens=256"]
    told = r"one page takes at least [\d,]+ tokens.* policy.max_tokens = 256, .* policy.length = 2,048"
    with pytest.raises(ConfigError, match=told):
        await check_names(load_config(None, settings))
    with pytest.raises(ConfigError, match=told):
        check_model(load_config_as(TrainConfig, None, settings))
    await check_names(load_config(None, settings[:1]))
    await check_names(load_config(None, ["policy.model=nano"]))
    check_room(load_config(None, settings), model.parent)  # no model: said by whoever loads it


async def rolled(outcomes: list[Outcome], *settings: str) -> int:
    """How many attempts came to their end."""
    left = iter(outcomes)
    done = 0

    async def roll(attempt: Attempt) -> Ending:
        return Ending(next(left))

    one = unless_rejected(roll, load_config(None, settings))
    for number in range(len(outcomes)):
        await one(Attempt(f"a{number}", TASK))
        done += 1
    return done


async def test_a_run_whose_first_attempts_are_all_rejected_ends_and_says_what_to_change():
    with pytest.raises(ConfigError) as ended:
        await rolled([REJECTED] * ENOUGH, "policy.model=m", "policy.length=2048")
    told = str(ended.value)
    assert "first 8 attempts" in told
    assert "a prompt of 2,700 tokens" in told
    assert "policy.length = 2,048" in told
    assert "policy.max_tokens = 512" in told
    with pytest.raises(ConfigError, match=r"context length.*agent.max_prompt_tokens = 24,000"):
        await rolled([Cancellation(), *[REJECTED] * ENOUGH], *SERVED)


async def test_a_run_goes_on_as_long_as_anything_else_happened():
    some = [REJECTED] * (ENOUGH - 1)
    assert await rolled([*some, Failure("no"), *some, *some], "policy.model=m") == 3 * len(some) + 1
    assert await rolled([*some], "policy.model=m") == len(some)
