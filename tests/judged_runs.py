"""Stored runs of attempts whose truth is known."""

from __future__ import annotations

from pathlib import Path

from webgym.judge.pictures import reduced
from webgym.records.trajectory import (
    Ending,
    Failure,
    Infrastructure,
    JudgeUnknown,
    Outcome,
    SiteBlock,
    Success,
    Truncation,
)
from webgym.records.verdict import Verdict, fact_verdict
from webgym.store.meta import RunMeta
from webgym.store.write import open_writer
from webgym.testing.judge_cases import JudgeCase, made_case
from webgym.testing.vlm_world import World

SIDE, QUALITY = 160, 60
META = RunMeta("judged", 1_750_000_000.0, kind="eval")


def copied(data: bytes) -> bytes:
    return reduced(data, SIDE, QUALITY)[0]


def cases(count: int, world: World, **more) -> list[JudgeCase]:
    return [made_case(number, world, copy=copied, **more) for number in range(count)]


def true_ending(case: JudgeCase) -> Ending:
    """As an exact judge would have had it."""
    places = [(group.id, index) for group in case.attempt.task.rubric for index in range(len(group.facts))]
    facts = tuple(fact_verdict(*place, finding) for place, finding in zip(places, case.findings, strict=True))
    outcome: Outcome = {
        "success": Success(),
        "failure": Failure("so it is"),
        "blocked": SiteBlock("so it is"),
        "truncated": Truncation("steps"),
    }[case.outcome]
    verdict = Verdict(facts, judge="exact") if case.answer is not None else None
    return Ending(outcome, case.answer, verdict, case.last, len(case.steps), began=1.0, ended=2.0)


async def store(folder: Path, made: list[JudgeCase], meta: RunMeta = META) -> None:
    """A run of these cases, with the truth as its verdicts; and one attempt that broke."""
    async with open_writer(folder, meta) as writer:
        for case in made:
            await writer.begin(case.attempt)
            for step in case.steps:
                address = step.observation.screenshot.address
                await writer.step(case.attempt, step, {address: case.pictures[address]})
            last = case.last.screenshot.address if case.last else None
            blobs = {last: case.pictures[last]} if last else {}
            await writer.end(case.attempt, true_ending(case), blobs)
        broken = made_case(10**6, World()).attempt
        await writer.begin(broken)
        await writer.end(broken, Ending(Infrastructure("timeout")), {})
        unknown = made_case(10**6 + 1, World()).attempt
        await writer.begin(unknown)
        await writer.end(unknown, Ending(JudgeUnknown("refused")), {})
