"""A judge's word as the page gets it: fact by fact, with the screenshots that it rests on."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.records.trajectory import Ending, outcome_kind
from webgym.records.verdict import Spent, Verdict

END = "end"
"""Names the look that followed the last action; steps are named by their number."""


class ShotView(Record, frozen=True, omit_defaults=False):
    """One column of the matrix: a picture, however often it was seen."""

    address: str
    frames: tuple[str, ...]
    """Steps at which it was seen, and `end`."""
    keyframe: bool
    """Whether the judge saw it in full."""


class FindingView(Record, frozen=True, omit_defaults=False):
    """One row of it: what a judge found of a fact, or of a claim of the final answer."""

    found: str
    holds: bool
    why: str
    rests: tuple[int, ...]
    """Columns that the finding rests on."""
    relevance: tuple[int, ...]
    """0 to 3 for each column; empty if the judge does not say."""
    claim: str = ""
    """Of the final answer; empty of a fact."""


class JudgeView(Record, frozen=True, omit_defaults=False):
    """The verdict of one judge."""

    name: str
    says: str
    """Of the whole attempt, as an outcome."""
    exact: bool
    """Whether it knows only what holds and what does not, as the website itself does."""
    counts: bool
    """Whether this is the verdict that the outcome comes from."""
    facts: dict[str, FindingView]
    """By group and fact, as `1.0`."""
    claims: tuple[FindingView, ...]
    reference: str
    """What it found of the reference answer; empty without one."""
    blocked: str
    shots: tuple[ShotView, ...]
    spent: Spent | None
    """None of a judge that asks no model."""


def fact_key(group: int, fact: int) -> str:
    """How a page names a fact."""
    return f"{group}.{fact}"


def judges_of(ending: Ending | None, steps: int) -> tuple[JudgeView, ...]:
    """Every judge that was asked about an attempt of so many steps: first the one whose word counts."""
    if ending is None or ending.verdict is None:
        return ()
    first = ending.verdict
    found = [judge_view(first, steps, outcome_kind(ending.outcome), counts=True)]
    if first.second is not None:
        found.append(judge_view(first.second, steps, told(first.second), counts=False))
    return tuple(found)


def told(verdict: Verdict) -> str:
    """What an attempt with this verdict ends as."""
    if verdict.blocked:
        return "blocked"
    if not verdict.complete:
        return "judge_unknown"
    return "success" if verdict.success else "failure"


def judges_differ(verdict: Verdict | None) -> bool:
    """Whether two judges were asked and one of them saw success where the other did not."""
    return verdict is not None and verdict.second is not None and verdict.success != verdict.second.success


def judge_view(verdict: Verdict, steps: int, says: str, *, counts: bool) -> JudgeView:
    """One judge's verdict on an attempt of so many steps."""
    columns = len(verdict.shots)
    facts: dict[str, FindingView] = {}
    for index, one in enumerate(verdict.facts):
        relevance = verdict.relevance[index] if index < len(verdict.relevance) else ()
        facts[fact_key(one.group, one.fact)] = FindingView(
            one.found, one.holds, one.why, _within(one.screenshots, columns), _levels(relevance, columns)
        )
    return JudgeView(
        verdict.judge,
        says,
        all(one.finding is None for one in verdict.facts),
        counts,
        facts,
        tuple(
            FindingView(
                one.finding, one.finding == "supported", one.why, _within(one.screenshots, columns), (), one.claim
            )
            for one in verdict.claims
        ),
        verdict.reference or "",
        verdict.blocked,
        tuple(
            ShotView(shot.address, tuple(END if step > steps else str(step) for step in shot.steps), shot.shown)
            for shot in verdict.shots
        ),
        verdict.spent if verdict.spent != Spent() else None,
    )


def _within(places: tuple[int, ...], columns: int) -> tuple[int, ...]:
    """Anyone can write a judge: what it points to need not be there."""
    return tuple(sorted({place for place in places if 0 <= place < columns}))


def _levels(row: tuple[int, ...], columns: int) -> tuple[int, ...]:
    return (*row, *([0] * columns))[:columns] if row else ()
