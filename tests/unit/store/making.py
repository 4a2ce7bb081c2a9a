"""Attempts, steps and pictures to store."""

from __future__ import annotations

import random
from collections.abc import Mapping

from webgym.records.action import Answer, Click, Point
from webgym.records.decision import Decision, MalformedReply, Turn
from webgym.records.observation import Blob, Observation, PageChange, address_of
from webgym.records.prompt import (
    Completion,
    Message,
    Picture,
    Prompt,
    Text,
    Tokens,
    pack_ids,
    pack_logprobs,
)
from webgym.records.task import FactGroup, Task
from webgym.records.trajectory import Attempt, Ending, Outcome, Step, StepTimes, Success
from webgym.records.verdict import FactVerdict, Verdict
from webgym.store.meta import RunMeta

SYSTEM = "You operate a browser. " * 200
META = RunMeta(
    "tried", 1_750_000_000.0, "webgym rollout", 'seed = 7\n[pool]\nname = "größer"\n', 7, {"webgym": "0.1.0"}
)


def task(name: str = "shop-0001", facts: int = 2) -> Task:
    rubric = (FactGroup(1, "The order", tuple(f"Fact {number}" for number in range(facts))),)
    return Task(
        name, f"Buy what {name} asks for.", "http://kettle.localhost:4300/", rubric, domain="shopping", template="buy"
    )


def attempt(number: int = 1, *, facts: int = 2, group: str = "") -> Attempt:
    return Attempt(f"a-{number:05d}", task(f"shop-{number:04d}", facts), group=group, member=number % 8, seed=number)


def picture(seed: int, size: int = 2_000) -> bytes:
    """Bytes that begin like a JPEG; what follows does not compress."""
    return b"\xff\xd8\xff\xe0" + random.Random(seed).randbytes(size)


def _observation(number: int, data: bytes) -> Observation:
    blob = Blob(address_of(data), "image/jpeg", len(data))
    return Observation(
        number, f"http://kettle.localhost:4300/p/{number}", "Küche", screenshot=blob, effect=PageChange(("url",))
    )


def step(
    number: int, *, picture_seed: int | None = None, size: int = 2_000, last: bool = False
) -> tuple[Step, dict[str, bytes]]:
    """A step with everything a step can have, and its pictures."""
    data = picture(number if picture_seed is None else picture_seed, size)
    shown = Picture(address_of(data), 1280, 768)
    history = tuple(
        Message("assistant", (Text(f"I did number {one}, which took a while to explain." * 3),))
        for one in range(number)
    )
    prompt = Prompt(
        (Message("system", (Text(SYSTEM),)), *history, Message("user", (Text("Now?"), shown, Text("\x00 <b>\u2028")))),
        tools=('{"type": "function", "name": "click", "description": "' + "Clicks. " * 30 + '"}', "{}"),
        dialect="qwen3-vl",
        version="complete-1",
    )
    tokens = Tokens(
        pack_ids(range(1000 + number)),
        pack_ids(range(20)),
        pack_logprobs([-0.1] * 20),
        pack_ids([3] * 20),
        temperature=0.7,
    )
    reply = Completion(
        "Click it.", "Hm.", model="m", version=3, prompt_tokens=1000, sampled_tokens=20, tokens=tokens, cost=0.25
    )
    action = Answer("It is 7 €.") if last else Click(Point(10, number))
    turn = Turn(Decision(action, sentence="I click.", thought="Hm.", memory="7 €"), prompt, reply)
    return Step(number, _observation(number, data), turn, StepTimes(infer=0.5)), {address_of(data): data}


def plain_step(number: int) -> Step:
    """A step of an agent that asks no model."""
    return Step(
        number, Observation(number, "http://kettle.localhost:4300/"), Turn(MalformedReply("no_call", "Call a tool."))
    )


def ending(
    outcome: Outcome | None = None, *, steps: int = 3, ended: float = 20.0, held: int = 2, facts: int = 2
) -> Ending:
    verdict = Verdict(tuple(FactVerdict(1, number, number < held) for number in range(facts)))
    return Ending(outcome or Success(), "It is 7 €.", verdict, steps=steps, began=10.0, ended=ended, queued=1.5)


def merged(*blobs: Mapping[str, bytes]) -> dict[str, bytes]:
    return {address: data for one in blobs for address, data in one.items()}
