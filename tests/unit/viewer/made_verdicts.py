"""Runs that a rubric judge judged: facts found on screenshots, right and wrong."""

from __future__ import annotations

from pathlib import Path

from tests.unit.viewer.made_runs import BEGAN, SCRIPT, Scribe, drawn_page, last_page, task, verdict

from webgym.records.observation import address_of
from webgym.records.task import FactGroup, Task
from webgym.records.trajectory import Attempt, Failure, JudgeUnknown, Success
from webgym.records.verdict import ClaimVerdict, Finding, Shot, Verdict, VerdictCost, fact_verdict
from webgym.store.meta import RunMeta
from webgym.store.write import open_writer

JUDGE = "rubric:qwen3-vl-32b"
TITLE = "Lumen Outfitters"
MUGS = Task(
    "task-0042",
    "Find the blue steel mug that holds half a litre, put two of them into the basket and tell what both cost",
    "http://lumen-outfitters.test/",
    (
        FactGroup(
            1,
            "The right item",
            (
                "The mug that was chosen is made of steel",
                "It holds 0.5 l",
                "Its colour is blue, as the page of the item says, and not only as its picture suggests",
            ),
        ),
        FactGroup(2, "The basket", ("Two pieces of it are in the basket", "Nothing else is in the basket")),
        FactGroup(3, "The answer", ("The answer names the price of both together, 38.00",)),
    ),
)


def shots(steps: int, keyframes: tuple[int, ...] = (3, 6, 10)) -> tuple[Shot, ...]:
    """One for each step, and the end."""
    seen = [address_of(drawn_page(TITLE, number)) for number in range(1, steps + 1)]
    last = address_of(last_page(TITLE))
    return (
        *(Shot(address, (number,), number in keyframes) for number, address in enumerate(seen, 1)),
        Shot(last, (steps + 1,), True),
    )


def rubric_verdict(of: Task, findings: tuple[Finding, ...], steps: int = len(SCRIPT)) -> Verdict:
    """Facts found so, each on two screenshots of its own."""
    places = [(group.id, index) for group in of.rubric for index in range(len(group.facts))]
    seen = shots(steps)
    facts, relevance = [], []
    for order, ((group, fact), finding) in enumerate(zip(places, findings, strict=True)):
        rests = () if finding in ("not_shown", "abstain") else ((2 + order) % steps, steps)
        levels = [3 if at in rests else (at * 5 + order * 3) % 7 // 2 % 3 for at in range(len(seen))]
        why = f"Screenshot {rests[0] + 1} says so." if rests else "No screenshot tells."
        facts.append(fact_verdict(group, fact, finding, rests, why))
        relevance.append(tuple(levels))
    return Verdict(
        tuple(facts),
        claims=(ClaimVerdict("Two blue steel mugs", "supported", (9, steps), "The basket lists them."),),
        shots=seen,
        relevance=tuple(relevance),
        judge=JUDGE,
        config="0" * 16,
        spent=VerdictCost(4, 1, 18_400, 612, 4, 380_000, 0.0123),
    )


ALL_SUPPORTED: tuple[Finding, ...] = ("supported",) * 6


async def write_judged(folder: Path) -> Path:
    """A wrong success, a failure, one that the judge could not tell, one on which judges differ, and an exact one."""
    answer = "Two blue steel mugs, 38.00 in all"
    both = Verdict(verdict(MUGS, 5).facts, judge="exact", second=rubric_verdict(MUGS, ALL_SUPPORTED))
    fooled = rubric_verdict(MUGS, ALL_SUPPORTED)
    missed = rubric_verdict(MUGS, ("supported", "supported", "contradicted", "not_shown", "supported", "supported"))
    torn = rubric_verdict(MUGS, ("supported", "abstain", "supported", "supported", "supported", "supported"))
    async with open_writer(folder, RunMeta(folder.name, BEGAN, kind="eval")) as writer:
        scribe = Scribe(writer)
        await scribe.attempt(Attempt("fooled", MUGS), Success(), SCRIPT, answer=answer, said=fooled)
        await scribe.attempt(
            Attempt("missed", MUGS), Failure("two facts are missing"), SCRIPT, answer=answer, said=missed
        )
        await scribe.attempt(Attempt("torn", MUGS), JudgeUnknown("one fact is open"), SCRIPT, answer=answer, said=torn)
        await scribe.attempt(Attempt("plain", task(7, facts=4)), Success(), SCRIPT[:5], held=4, answer="Two mugs")
        await scribe.attempt(Attempt("both", MUGS), Failure("a fact is missing"), SCRIPT, answer=answer, said=both)
    return folder
