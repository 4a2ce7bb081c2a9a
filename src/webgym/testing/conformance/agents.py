"""Conformance checks for `Agent`. An agent serves one attempt, so checks take a factory."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import anyio
import msgspec

from webgym.records.decision import Turn
from webgym.records.observation import ActionFailure, Capture, Dialog, FailedReason, Observation
from webgym.stages import Agent
from webgym.testing.conformance.checking import bounded, can_be_stored, given_or_refused
from webgym.testing.conformance.example_records import ODD_WORDS, a_capture


@dataclass(frozen=True, slots=True)
class AgentExample:
    """How to exercise an implementation."""

    captures: Sequence[Capture] = (a_capture(1), a_capture(2), a_capture(3))
    """The captures it is shown, in order."""


MakeAgent = Callable[[], Agent]
AgentCheck = Callable[[MakeAgent, AgentExample], Awaitable[None]]


async def agents_follow_the_protocol(make: MakeAgent, example: AgentExample) -> None:
    """`decide` returns turns that can be stored."""
    agent = make()
    assert isinstance(agent, Agent), f"{agent!r} has no method `decide`"
    for capture in example.captures:
        can_be_stored("a turn", await _decided(agent, capture))


async def what_it_shows_its_model_was_seen(make: MakeAgent, example: AgentExample) -> None:
    """Pictures in prompts are stored by address, so they must come from this attempt's observations."""
    agent, seen = make(), set[str]()
    for capture in example.captures:
        seen |= capture.blobs.keys()
        prompt = (await _decided(agent, capture)).prompt
        shown = {picture.address for picture in prompt.pictures} if prompt else set[str]()
        assert shown <= seen, f"its prompt has the images {shown - seen}, which are in no observation"


async def odd_observations_are_decided_on_or_refused_by_name(make: MakeAgent, example: AgentExample) -> None:
    """For a missing screenshot, a dialog, a failed action or odd text, it returns a turn or raises a `WebGymError`."""
    for what, capture in _odd(example.captures[0]):
        await given_or_refused(what, "a turn", _decided(make(), capture))


async def two_attempts_do_not_influence_each_other(make: MakeAgent, example: AgentExample) -> None:
    """Agents that run concurrently decide as one alone does."""
    alone, one, other = make(), make(), make()
    expected = [type((await _decided(alone, capture)).choice) for capture in example.captures]
    for capture, kind in zip(example.captures, expected, strict=True):
        turns = list[Turn]()

        async def decide(agent: Agent, capture: Capture = capture, turns: list[Turn] = turns) -> None:
            turns.append(await _decided(agent, capture))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(decide, one)
            tasks.start_soon(decide, other)
        found = [type(turn.choice) for turn in turns]
        assert found == [kind] * 2, f"alone it decides on {kind.__name__}, beside another agent on {found}"


async def _decided(agent: Agent, capture: Capture) -> Turn:
    turn = await agent.decide(capture)
    assert isinstance(turn, Turn), f"`decide` gave {turn!r} and not a Turn"
    return turn


def _odd(capture: Capture) -> list[tuple[str, Capture]]:
    def seen(**changed: object) -> Observation:
        return msgspec.structs.replace(capture.observation, **changed)

    return [
        ("there is no screenshot", Capture(seen(screenshot=None))),
        ("a dialog is open", Capture(seen(screenshot=None, dialog=Dialog("confirm", "Leave?", "")))),
        ("its action failed", Capture(seen(effect=ActionFailure(FailedReason.OFF_VIEWPORT, "(9, 9)")), capture.blobs)),
        (
            "the page has odd words",
            Capture(seen(title=ODD_WORDS, url=f"http://fake.example/{ODD_WORDS}"), capture.blobs),
        ),
        ("the page is blank", Capture(seen(url="about:blank", title="", blank=True), capture.blobs)),
    ]


AGENT_CHECKS: tuple[AgentCheck, ...] = bounded(
    agents_follow_the_protocol,
    what_it_shows_its_model_was_seen,
    odd_observations_are_decided_on_or_refused_by_name,
    two_attempts_do_not_influence_each_other,
)
