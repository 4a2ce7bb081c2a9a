"""Conformance checks for `Judge`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import anyio
import msgspec

from webgym.errors import JudgeError
from webgym.records.decision import MalformedReply, Turn
from webgym.records.observation import Blob, Observation
from webgym.records.trajectory import Attempt, Step
from webgym.records.verdict import MOST_RELEVANT, Verdict
from webgym.stages import BlockDetector, Judge
from webgym.testing.conformance.checking import bounded, can_be_stored, given_or_refused
from webgym.testing.conformance.example_records import ODD_WORDS, a_step, an_attempt

_AT_ONCE = 6
_CUT_OFF_SECONDS = (0.0, 0.005, 0.05)


@dataclass(frozen=True, slots=True)
class JudgeCall:
    """The arguments of a call to a judge."""

    attempt: Attempt
    steps: Sequence[Step]
    answer: str
    last: Observation | None = None


MADE = JudgeCall(
    an_attempt(), (a_step(1), a_step(2), a_step(3, "The page says that it is 7.")), "The page says that it is 7."
)


@dataclass(frozen=True, slots=True)
class JudgeExample:
    """How to exercise an implementation."""

    judged: JudgeCall = MADE
    """An attempt on which it reaches a verdict. The default has three steps, with screenshots."""
    known: tuple[tuple[JudgeCall, bool], ...] = ()
    """Attempts with the success that it must find."""


JudgeCheck = Callable[[Judge, JudgeExample], Awaitable[None]]


async def judges_follow_the_protocol(judge: Judge, example: JudgeExample) -> None:
    """It has `exact`, and `judge` returns a verdict that can be stored."""
    assert isinstance(judge, Judge), f"{judge!r} has no `exact` or no method `judge`"
    assert isinstance(judge.exact, bool), f"`exact` is {judge.exact!r}, neither True nor False"
    can_be_stored("a verdict", await _judged(judge, example.judged))


async def a_verdict_is_on_every_fact_once(judge: Judge, example: JudgeExample) -> None:
    """A verdict covers every fact of the rubric exactly once."""
    _check_covers(await _judged(judge, example.judged), example.judged.attempt)


async def evidence_can_be_found(judge: Judge, example: JudgeExample) -> None:
    """Every screenshot cited as evidence is among those that the verdict lists."""
    verdict = await _judged(judge, example.judged)
    places = range(len(verdict.shots))
    for statement in (*verdict.facts, *verdict.claims):
        lost = [place for place in statement.screenshots if place not in places]
        assert not lost, f"a finding cites the screenshots {lost}, but `shots` has {len(places)}"
    if verdict.relevance:
        rows = len(verdict.facts), {len(verdict.shots)}
        assert (len(verdict.relevance), {len(row) for row in verdict.relevance}) == rows, (
            "`relevance` must have a row for each fact and a column for each shot"
        )
        marks = {mark for row in verdict.relevance for mark in row}
        assert marks <= set(range(MOST_RELEVANT + 1)), f"relevance goes from 0 to {MOST_RELEVANT}, not {marks}"


async def the_same_attempt_gets_the_same_verdict(judge: Judge, example: JudgeExample) -> None:
    """Judging twice gives the same findings; cost and time may differ."""
    one, other = await _judged(judge, example.judged), await _judged(judge, example.judged)
    assert _found(one) == _found(other), f"judged twice, it found {_found(one)} and then {_found(other)}"


async def what_is_known_is_found(judge: Judge, example: JudgeExample) -> None:
    """It finds the known successes and failures of the example."""
    for judged, success in example.known:
        verdict = await _judged(judge, judged)
        name = judged.attempt.attempt_id
        assert verdict.success == success, f"{name}: success={verdict.success}, but should be {success}: {verdict}"


async def nothing_done_and_nothing_said_is_no_success(judge: Judge, example: JudgeExample) -> None:
    """An attempt without observations, actions or answer is never a success."""
    verdict = await _perhaps(judge, replace(example.judged, steps=(), last=None, answer=""), "nothing was done")
    assert verdict is None or not verdict.success, "an attempt that saw, did and said nothing is called a success"


async def odd_attempts_are_judged_or_refused_by_name(judge: Judge, example: JudgeExample) -> None:
    """It returns a verdict on the whole rubric or raises a `WebGymError`; any other error would be a crash."""
    for what, judged in _odd(example.judged):
        verdict = await _perhaps(judge, judged, what)
        if verdict is not None:
            _check_covers(verdict, judged.attempt)
            can_be_stored(f"the verdict, if {what},", verdict)


async def many_are_judged_at_once(judge: Judge, example: JudgeExample) -> None:
    """Concurrent calls give the same verdict as a single one."""
    alone = _found(await _judged(judge, example.judged))
    found: list[object] = []

    async def ask() -> None:
        found.append(_found(await _judged(judge, example.judged)))

    async with anyio.create_task_group() as tasks:
        for _ in range(_AT_ONCE):
            tasks.start_soon(ask)
    assert found == [alone] * _AT_ONCE, f"a single call found {alone}, but concurrent calls found {found}"


async def a_verdict_that_is_not_waited_for_harms_no_other(judge: Judge, example: JudgeExample) -> None:
    """A cancelled call leaves the judge usable."""
    for seconds in _CUT_OFF_SECONDS:
        with anyio.move_on_after(seconds):
            await _judged(judge, example.judged)
    await _judged(judge, example.judged)


async def a_judge_that_looks_for_refusals_says_so_in_words(judge: Judge, example: JudgeExample) -> None:
    """If it has `blocked`, that returns text, possibly empty, for any attempt, or raises a `JudgeError`."""
    if not isinstance(judge, BlockDetector):
        return
    for what, judged in (("all is as it should be", example.judged), *_odd(example.judged)):
        try:
            said = await judge.blocked(judged.attempt, judged.steps, judged.last, {})
        except JudgeError:
            continue
        assert isinstance(said, str), f"if {what}, `blocked` gave {said!r}, which is not a string"


async def _judged(judge: Judge, judged: JudgeCall) -> Verdict:
    verdict = await judge.judge(judged.attempt, judged.steps, judged.last, judged.answer)
    assert isinstance(verdict, Verdict), f"`judge` gave {verdict!r} and not a Verdict"
    return verdict


async def _perhaps(judge: Judge, judged: JudgeCall, what: str) -> Verdict | None:
    """Return the verdict; None if it is refused with an error that ends only the attempt."""
    return await given_or_refused(what, "a verdict, or raise a JudgeError", _judged(judge, judged))


def _found(verdict: Verdict) -> object:
    facts = [(fact.group, fact.fact, fact.found) for fact in verdict.facts]
    return facts, [(claim.claim, claim.finding) for claim in verdict.claims], verdict.reference, verdict.blocked


def _check_covers(verdict: Verdict, attempt: Attempt) -> None:
    wanted = sorted((group.id, fact) for group in attempt.task.rubric for fact in range(len(group.facts)))
    given = sorted((finding.group, finding.fact) for finding in verdict.facts)
    assert given == wanted, f"the verdict covers the facts {given}, but the rubric has {wanted} (group, place in it)"


def _odd(judged: JudgeCall) -> Iterator[tuple[str, JudgeCall]]:
    """Yield unusual variants of an attempt, which a judge may also get."""
    steps = tuple(judged.steps)
    malformed = Turn(MalformedReply("no_call", "Call a tool."))
    yield "nothing was seen or done", replace(judged, steps=(), last=None)
    yield "it has no answer", replace(judged, answer="")
    yield "its answer is long and odd", replace(judged, answer=f"{ODD_WORDS} " * 500)
    yield "no screenshot could be taken", replace(judged, steps=_shown(steps, None), last=None)
    gone = Blob(f"sha256:{64 * '0'}", "image/png", 100)
    yield "its screenshots are gone", replace(judged, steps=_shown(steps, gone), last=None)
    yield "no reply held an action", replace(judged, steps=[msgspec.structs.replace(s, turn=malformed) for s in steps])
    many = [msgspec.structs.replace(step, number=number) for number, step in enumerate(steps * 30, 1)]
    yield "it took many steps", replace(judged, steps=many)


def _shown(steps: Sequence[Step], screenshot: Blob | None) -> tuple[Step, ...]:
    return tuple(
        msgspec.structs.replace(step, observation=msgspec.structs.replace(step.observation, screenshot=screenshot))
        for step in steps
    )


JUDGE_CHECKS: tuple[JudgeCheck, ...] = bounded(
    judges_follow_the_protocol,
    a_verdict_is_on_every_fact_once,
    evidence_can_be_found,
    the_same_attempt_gets_the_same_verdict,
    what_is_known_is_found,
    nothing_done_and_nothing_said_is_no_success,
    odd_attempts_are_judged_or_refused_by_name,
    many_are_judged_at_once,
    a_verdict_that_is_not_waited_for_harms_no_other,
    a_judge_that_looks_for_refusals_says_so_in_words,
)
