"""Attempts to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from webgym.buffer.samples import SampleMaker, runs
from webgym.records.action import Action, Answer, Click, Point
from webgym.records.decision import Decision, Turn
from webgym.records.observation import Blob, Effect, Observation, PageChange
from webgym.records.prompt import Completion, Message, Picture, Prompt, Text, Tokens, pack_ids, pack_logprobs
from webgym.records.task import FactGroup, Task
from webgym.records.trajectory import (
    Attempt,
    Cancellation,
    Ending,
    Failure,
    Infrastructure,
    JudgeUnknown,
    Outcome,
    SiteBlock,
    Step,
    Success,
    Trajectory,
    Truncation,
)

PLACE = 7
"""Stands for a picture in prompts."""
MAKER = SampleMaker(runs(PLACE))
TASK = Task("t", "Do it.", "http://site.localhost/", (FactGroup(1, "It", ("It is done.",)),))
GRADED: tuple[Outcome, ...] = (Success(), Failure(), Truncation("steps"))
UNGRADED: tuple[Outcome, ...] = (SiteBlock("refused"), Infrastructure("timeout"), JudgeUnknown("mute"), Cancellation())


def look(number: int, effect: Effect | None, picture: str | None = None) -> Observation:
    address = f"sha256:{picture or number}"
    return Observation(number, "http://site.localhost/", screenshot=Blob(address, "image/jpeg", 9), effect=effect)


def tokens(length: int = 3, version: int | None = 0, pictures: int = 1) -> Tokens:
    versions = b"" if version is None else pack_ids([version] * length)
    shown = [5, *[PLACE, 6] * pictures]
    return Tokens(pack_ids(shown), pack_ids(range(10, 10 + length)), pack_logprobs([-0.5] * length), versions)


def turn(action: Action, reply: Tokens | None, pictures: int = 1) -> Turn:
    shown = tuple(Picture(f"sha256:p{number}", 64, 64) for number in range(pictures))
    prompt = Prompt((Message("user", (Text("Look:"), *shown)),))
    sampled = len(reply.sampled) // 4 if reply else 0
    return Turn(Decision(action), prompt, Completion("click", tokens=reply, sampled_tokens=sampled))


def step(number: int, reply: Tokens | None = None, *, effect: Effect | None = PageChange(), last: bool = False) -> Step:
    action = Answer("done") if last else Click(Point(1, 1))
    return Step(number, look(number, effect if number > 1 else None), turn(action, reply or tokens()))


def attempt(
    name: str,
    outcome: Outcome | None = None,
    lengths: Sequence[int] = (3, 2),
    *,
    group: str = "g",
    version: int = 0,
) -> Trajectory:
    """An attempt whose steps all had an effect, ended by an answer."""
    steps = tuple(
        step(number, tokens(length, version), last=number == len(lengths)) for number, length in enumerate(lengths, 1)
    )
    return Trajectory(Attempt(name, TASK, group=group), steps, Ending(outcome or Success(), steps=len(steps)))


def spoilt(trajectory: Trajectory, **tokens: Any) -> Trajectory:
    """The same attempt, with other tokens in the reply of its first step."""
    first, *others = trajectory.steps
    completion = first.turn.completion
    assert completion is not None
    assert completion.tokens is not None
    completion = msgspec.structs.replace(completion, tokens=msgspec.structs.replace(completion.tokens, **tokens))
    first = msgspec.structs.replace(first, turn=msgspec.structs.replace(first.turn, completion=completion))
    return msgspec.structs.replace(trajectory, steps=(first, *others))
