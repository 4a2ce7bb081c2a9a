"""Conformance checks for `Recorder`. Reading is not part of the protocol, so the example provides it."""

from __future__ import annotations

import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

import anyio

from webgym.errors import StoreError
from webgym.records.trajectory import (
    Attempt,
    Cancellation,
    Ending,
    Failure,
    Infrastructure,
    Outcome,
    Success,
    Trajectory,
)
from webgym.records.verdict import FactVerdict, Verdict
from webgym.stages import Recorder
from webgym.testing.conformance.checking import bounded, refused
from webgym.testing.conformance.example_records import a_capture, a_step, an_attempt

_AT_ONCE = 8
_ONLY_HERE = 200
"""Number of a capture whose picture no other check uses."""


@dataclass(frozen=True, slots=True)
class RecorderExample:
    """How to read what an implementation has recorded."""

    read: Callable[[str], Trajectory]
    """Reads an attempt that has ended, by id."""
    blob: Callable[[str], bytes | None]
    """Reads the bytes at an address."""


RecorderCheck = Callable[[Recorder, RecorderExample], Awaitable[None]]


async def recorders_follow_the_protocol(recorder: Recorder, example: RecorderExample) -> None:
    """It has `begin`, `step` and `end`."""
    del example
    assert isinstance(recorder, Recorder), f"{recorder!r} lacks `begin`, `step` or `end`"


async def what_was_recorded_can_be_read(recorder: Recorder, example: RecorderExample) -> None:
    """Once `end` returns, the attempt, its steps in order and its ending can be read."""
    made = await _recorded(recorder, 3)
    _check_read(example, made)


async def pictures_are_kept_by_their_address(recorder: Recorder, example: RecorderExample) -> None:
    """Pictures of steps, and of the last observation, which comes with the ending, can be read by address."""
    made, step, last = _attempt(), a_capture(_ONLY_HERE), a_capture(_ONLY_HERE + 1)
    await recorder.begin(made)
    await recorder.step(made, a_step(1), step.blobs)
    await recorder.end(made, _ending(Success(), 1), last.blobs)
    for address, data in (*step.blobs.items(), *last.blobs.items()):
        assert example.blob(address) == data, f"the image {address} cannot be read back unchanged"


async def a_new_try_makes_the_steps_before_it_void(recorder: Recorder, example: RecorderExample) -> None:
    """Only the steps of the last try are read."""
    attempt = _attempt()
    await recorder.begin(attempt)
    for number in (1, 2, 3):
        await recorder.step(attempt, a_step(number), a_capture(number).blobs)
    made = await _recorded(recorder, 1, attempt)
    _check_read(example, made)


async def an_attempt_may_end_without_a_step(recorder: Recorder, example: RecorderExample) -> None:
    """For example, if no session could be opened."""
    made = await _recorded(recorder, 0)
    _check_read(example, made)


async def an_attempt_ends_once(recorder: Recorder, example: RecorderExample) -> None:
    """A second ending and a new try are refused, and leave the record unchanged."""
    made = await _recorded(recorder, 1)
    with refused("a second ending", StoreError):
        await recorder.end(made.attempt, _ending(Failure("again"), 0), {})
    with refused("a new try of an attempt that is over", StoreError):
        await recorder.begin(made.attempt)
    _check_read(example, made)


async def an_attempt_that_was_cancelled_may_begin_again(recorder: Recorder, example: RecorderExample) -> None:
    """When a stopped run is resumed, the attempt's later ending replaces the cancellation."""
    stopped = await _recorded(recorder, 2, outcome=Cancellation("stopped from outside"))
    made = await _recorded(recorder, 1, stopped.attempt)
    _check_read(example, made)


async def an_attempt_that_was_lost_may_begin_again(recorder: Recorder, example: RecorderExample) -> None:
    """When a run is resumed, the attempt's later ending replaces the one that our infrastructure caused."""
    lost = await _recorded(recorder, 2, outcome=Infrastructure("transport"))
    made = await _recorded(recorder, 1, lost.attempt)
    _check_read(example, made)


async def attempts_are_recorded_beside_each_other(recorder: Recorder, example: RecorderExample) -> None:
    """Attempts recorded concurrently each keep their own steps."""
    made: list[Trajectory] = []

    async def record(steps: int) -> None:
        made.append(await _recorded(recorder, steps))

    async with anyio.create_task_group() as tasks:
        for number in range(_AT_ONCE):
            tasks.start_soon(record, number % 4)
    for attempt in made:
        _check_read(example, attempt)


def _attempt() -> Attempt:
    """Return an attempt with a unique id, so that checks can be repeated on one recorder."""
    return an_attempt(f"checked-{secrets.token_hex(8)}/0")


async def _recorded(
    recorder: Recorder, steps: int, attempt: Attempt | None = None, outcome: Outcome = Success()
) -> Trajectory:
    """Record steps, a last observation and an ending; return the trajectory that should be read back."""
    attempt = attempt or _attempt()
    taken = tuple(a_step(number) for number in range(1, steps + 1))
    await recorder.begin(attempt)
    for step in taken:
        await recorder.step(attempt, step, a_capture(step.number).blobs)
    ending = _ending(outcome, steps)
    await recorder.end(attempt, ending, a_capture(steps + 1).blobs)
    return Trajectory(attempt, taken, ending)


def _ending(outcome: Outcome, steps: int) -> Ending:
    verdict = Verdict((FactVerdict(1, 0, holds=True),)) if isinstance(outcome, Success) else None
    last = a_capture(steps + 1).observation
    return Ending(outcome, "It is 7.", verdict, last=last, steps=steps, began=10.0, ended=20.0)


def _check_read(example: RecorderExample, made: Trajectory) -> None:
    found = example.read(made.attempt.attempt_id)
    numbers = [step.number for step in found.steps]
    assert numbers == list(range(1, len(made.steps) + 1)), (
        f"steps {numbers} were read back, but {len(made.steps)} are expected"
    )
    assert found.steps == made.steps, "the steps read back differ from those recorded"
    assert found.ending == made.ending, f"the ending was read back as {found.ending}, but was {made.ending}"
    assert found.attempt == made.attempt, f"the attempt was read back as {found.attempt}, but was {made.attempt}"


RECORDER_CHECKS: tuple[RecorderCheck, ...] = bounded(
    recorders_follow_the_protocol,
    what_was_recorded_can_be_read,
    pictures_are_kept_by_their_address,
    a_new_try_makes_the_steps_before_it_void,
    an_attempt_may_end_without_a_step,
    an_attempt_ends_once,
    an_attempt_that_was_cancelled_may_begin_again,
    an_attempt_that_was_lost_may_begin_again,
    attempts_are_recorded_beside_each_other,
)
