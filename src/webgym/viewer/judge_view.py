"""A judge's verdict as sent to the page: fact by fact, with the screenshots it is based on."""

from __future__ import annotations

from webgym.records.base import Record
from webgym.records.trajectory import Ending, outcome_kind
from webgym.records.verdict import Verdict, VerdictCost

END = "end"
"""Name of the observation after the last action; steps are named by their number."""


class ShotView(Record, frozen=True, omit_defaults=False):
    """One column of the matrix: a distinct screenshot."""

    address: str
    frames: tuple[str, ...]
    """Steps at which it was observed, or `end`."""
    keyframe: bool
    """Whether it was shown to the judge in full."""


class FindingView(Record, frozen=True, omit_defaults=False):
    """One row of the matrix: a judge's finding on a fact, or on a claim of the final answer."""

    found: str
    holds: bool
    why: str
    rests: tuple[int, ...]
    """Columns that the finding is based on."""
    relevance: tuple[int, ...]
    """Relevance of each column, from 0 to 3; empty if the judge does not rate it."""
    claim: str = ""
    """The claim of the final answer; empty for a fact."""


class JudgeView(Record, frozen=True, omit_defaults=False):
    """The verdict of one judge."""

    name: str
    says: str
    """Outcome of the whole attempt, according to this judge."""
    exact: bool
    """Whether it reports only whether facts hold, without findings, as a hermetic site does."""
    counts: bool
    """Whether the attempt's outcome comes from this verdict."""
    facts: dict[str, FindingView]
    """Findings by group and fact, such as `1.0`."""
    claims: tuple[FindingView, ...]
    reference: str
    """Finding on the reference answer; empty without one."""
    blocked: str
    shots: tuple[ShotView, ...]
    spent: VerdictCost | None
    """None for a judge that uses no model."""


def fact_key(group: int, fact: int) -> str:
    """Return the key of a fact on the page."""
    return f"{group}.{fact}"


def judges_of(ending: Ending | None, steps: int) -> tuple[JudgeView, ...]:
    """Return all verdicts of an attempt with this many steps, first the one that counts."""
    if ending is None or ending.verdict is None:
        return ()
    first = ending.verdict
    found = [judge_view(first, steps, outcome_kind(ending.outcome), counts=True)]
    if first.second is not None:
        found.append(judge_view(first.second, steps, told(first.second), counts=False))
    return tuple(found)


def told(verdict: Verdict) -> str:
    """Return the outcome that follows from a verdict."""
    if verdict.blocked:
        return "blocked"
    if not verdict.complete:
        return "judge_unknown"
    return "success" if verdict.success else "failure"


def judges_differ(verdict: Verdict | None) -> bool:
    """Return whether there are two judges and they disagree on success."""
    return verdict is not None and verdict.second is not None and verdict.success != verdict.second.success


def judge_view(verdict: Verdict, steps: int, says: str, *, counts: bool) -> JudgeView:
    """Return the view of fact verdict on an attempt with this many steps."""
    columns = len(verdict.shots)
    facts: dict[str, FindingView] = {}
    for index, fact in enumerate(verdict.facts):
        relevance = verdict.relevance[index] if index < len(verdict.relevance) else ()
        facts[fact_key(fact.group, fact.fact)] = FindingView(
            fact.found, fact.holds, fact.why, _within(fact.screenshots, columns), _levels(relevance, columns)
        )
    return JudgeView(
        verdict.judge,
        says,
        all(fact.finding is None for fact in verdict.facts),
        counts,
        facts,
        tuple(
            FindingView(
                claim.finding,
                claim.finding == "supported",
                claim.why,
                _within(claim.screenshots, columns),
                (),
                claim.claim,
            )
            for claim in verdict.claims
        ),
        verdict.reference or "",
        verdict.blocked,
        tuple(
            ShotView(shot.address, tuple(END if step > steps else str(step) for step in shot.steps), shot.shown)
            for shot in verdict.shots
        ),
        verdict.spent if verdict.spent != VerdictCost() else None,
    )


def _within(places: tuple[int, ...], columns: int) -> tuple[int, ...]:
    """Drop columns that do not exist: verdicts of user-written judges may be inconsistent."""
    return tuple(sorted({place for place in places if 0 <= place < columns}))


def _levels(row: tuple[int, ...], columns: int) -> tuple[int, ...]:
    return (*row, *([0] * columns))[:columns] if row else ()
