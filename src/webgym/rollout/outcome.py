"""The outcome of an attempt. Without a complete verdict there is no reward, unless the agent reached a limit."""

from __future__ import annotations

from dataclasses import dataclass

from webgym.records.trajectory import Failure, JudgeUnknown, Outcome, SiteBlock, Success, Truncation
from webgym.records.verdict import Verdict


@dataclass(frozen=True, slots=True)
class EndedByEnvironment:
    """The environment ended the attempt, which needs no answer then."""

    why: str


End = Truncation | SiteBlock | EndedByEnvironment


def outcome_of(
    answer: str | None,
    end: End | None,
    verdict: Verdict | None,
    refused: str = "",
) -> Outcome:
    """Determine the outcome of an attempt.

    Args:
        answer: The agent's answer, if it gave one.
        end: Why the attempt ended, if not by an answer.
        verdict: The judge's verdict, if it was asked and reached one.
        refused: Evidence that the website refused to serve the agent, by rule or from `BlockDetector.blocked`. Never
            given if the judge is exact: its verdict says so itself.
    """
    over = answer is not None or isinstance(end, EndedByEnvironment)
    if over and verdict is not None and verdict.success:
        return Success()
    if why := refused or (verdict.blocked if verdict else ""):
        return SiteBlock(why)
    match end:
        case Truncation() | SiteBlock():
            return end
        case EndedByEnvironment() | None:
            pass
    if verdict is None:
        return JudgeUnknown("there is no verdict")
    if not verdict.complete:
        return JudgeUnknown(f"the judge abstained on {verdict.abstained} of {_asked(verdict)} findings")
    return Failure(missed(verdict))


def missed(verdict: Verdict) -> str:
    """Summarize why a verdict is not a success."""
    held = sum(fact.holds for fact in verdict.facts)
    told = [f"{held} of {len(verdict.facts)} facts hold"]
    if unseen := sum(claim.finding != "supported" for claim in verdict.claims):
        told.append(f"{unseen} of {len(verdict.claims)} claims in the answer are not supported")
    if verdict.reference not in {None, "supported"}:
        told.append("the answer does not match the reference")
    return "; ".join(told)


def _asked(verdict: Verdict) -> int:
    return len(verdict.facts) + len(verdict.claims) + (verdict.reference is not None)
