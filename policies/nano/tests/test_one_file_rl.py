"""The example that newcomers read first: its update follows the advantage, and its prompts are those of nano."""

from __future__ import annotations

import io
from collections.abc import Generator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from examples.one_file_rl import Attempt, Policy, Prompt, advantages, update
from PIL import Image

from webgym.agent.budget import PromptBudget
from webgym.agent.context import Context
from webgym.agent.dialects.nano import NANO
from webgym.agent.settings import AgentSettings
from webgym.buffer.advantages import GroupAdvantages, score
from webgym.interop.gym.observations import observation_of
from webgym.records.observation import (
    ActionFailure,
    Blob,
    Capture,
    Effect,
    FailedReason,
    NoChange,
    Observation,
    PageChange,
    Viewport,
)
from webgym.records.prompt import Completion
from webgym.records.task import Task
from webgym_nano.manner import manner


def encoded(picture: Image.Image) -> bytes:
    file = io.BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()


FILE = Path(__file__).parents[3] / "examples/one_file_rl.py"
VIEWPORT = Viewport(448, 320)
TASK = Task("shop-1", "Put two mugs into the cart.", "http://shop.localhost/", ())
BLANK = Prompt(Image.new("RGB", (448, 320), "white"), TASK.instruction)
WHITE = encoded(BLANK.screenshot)


@pytest.fixture(scope="module")
def shipped() -> Generator[Policy]:
    before = torch.get_num_threads()
    torch.set_num_threads(1)  # threads that wait for each other are slow where others compute
    yield Policy()
    torch.set_num_threads(before)


@pytest.fixture
def policy(shipped: Policy) -> Generator[Policy]:
    """The shipped policy; its weights are put back after the test."""
    weights = {name: weight.clone() for name, weight in shipped.model.state_dict().items()}
    yield shipped
    shipped.model.load_state_dict(weights)


def tokens(policy: Policy, text: str) -> torch.Tensor:
    return torch.tensor(policy.processor.tokenizer(text)["input_ids"])


def attempt(reply: torch.Tensor, reward: float) -> Attempt:
    return Attempt(None, {}, said=[(BLANK, reply)], reward=reward)


def likelihood(policy: Policy, reply: torch.Tensor) -> float:
    with torch.no_grad():
        return float(policy.logprobs(BLANK, reply).sum())


def test_it_is_short_enough_to_be_read_in_one_go():
    assert len(FILE.read_text("utf-8").splitlines()) <= 200


def test_an_update_makes_what_was_said_in_better_attempts_likelier_and_in_worse_ones_less_likely(policy):
    good, bad = tokens(policy, "Cart>c<056><007>"), tokens(policy, ">aNo idea")
    before = likelihood(policy, good), likelihood(policy, bad)
    optimizer = torch.optim.AdamW(policy.model.parameters(), 1e-4)
    update(policy, optimizer, [[attempt(good, 1.0), attempt(bad, 0.0)]])
    assert likelihood(policy, good) > before[0] + 0.01
    assert likelihood(policy, bad) < before[1] - 0.01


def test_attempts_that_all_went_the_same_way_change_nothing(policy):
    before = [weight.clone() for weight in policy.model.parameters()]
    optimizer = torch.optim.AdamW(policy.model.parameters(), 1e-4)
    said = tokens(policy, "Cart>c<056><007>")
    update(policy, optimizer, [[attempt(said, 1.0), attempt(said, 1.0)], [attempt(said, 0.0), attempt(said, 0.0)]])
    assert all(torch.equal(one, other) for one, other in zip(before, policy.model.parameters(), strict=True))


@pytest.mark.parametrize("rewards", [[1.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 1.0]])
def test_its_advantages_are_those_of_the_library(rewards):
    match score(rewards, "grpo"):
        case GroupAdvantages(expected):
            assert advantages(rewards) == pytest.approx(list(expected), rel=1e-4)


def test_what_it_samples_in_a_batch_is_likely_by_what_it_learns_with(policy):
    other = Prompt(BLANK.screenshot, "Find out at what time the museum closes on Sundays, and tell me when that is.")
    torch.manual_seed(0)
    prompts = [BLANK, other] * 3
    for prompt, reply in zip(prompts, policy.sample(prompts), strict=True):
        assert reply.tolist().count(policy.model.generation_config.eos_token_id) == 1
        with torch.no_grad():
            assert float(policy.logprobs(prompt, reply).mean()) > -1.0


class ScriptedEnv:
    """Shows these observations, one after the other."""

    def __init__(self, *effects: Effect) -> None:
        self.config = SimpleNamespace(max_steps=10)
        self._next = [shown(number, effect) for number, effect in enumerate(effects, 2)]
        self.capture = shown(1, None)

    @property
    def seen(self) -> dict[str, Any]:
        return observation_of(self.capture, TASK.instruction, VIEWPORT, np.zeros((320, 448, 3), np.uint8))

    def step(self, action: object) -> tuple[dict[str, Any], float, bool, bool, dict[str, Any]]:
        del action
        self.capture = self._next.pop(0)
        return self.seen, 0.0, False, False, {}


def shown(number: int, effect: Effect | None) -> Capture:
    blob = Blob(f"{number:064}", "image/png", len(WHITE))
    page = Observation(number, "http://shop.localhost/", "Shop", VIEWPORT, screenshot=blob, effect=effect)
    return Capture(page, {blob.address: WHITE})


EFFECTS = (PageChange(("url",)), NoChange(), ActionFailure(FailedReason.OFF_VIEWPORT, "below"))


@pytest.mark.parametrize("steps", range(len(EFFECTS) + 2))
def test_its_prompts_are_word_for_word_those_that_nano_was_taught_with(steps):
    env = ScriptedEnv(*EFFECTS)
    settings = AgentSettings(**manner()["agent"])
    context = Context(TASK, NANO, settings, PromptBudget(settings.max_prompt_tokens, settings.max_images))
    ours = Attempt(env, {**env.seen})
    replies = ["Mugs>c<056><007>", "Add>c<020><020>", "nothing that can be done", ">d"]
    for text in replies[:steps]:
        page = env.capture.observation
        context.prompt(page)
        choice = NANO.parse(Completion(text), page)
        context.add(page, choice, text)
        ours.act(BLANK, torch.tensor([]), text)
    assert ours.prompt().words == context.prompt(env.capture.observation).messages[0].text
