"""What the judge's model may say, and what it said read against that. Anything else is no verdict.

There is no path from text that is not exactly of the form asked for to a finding: no search for words, no defaults for
what is missing, no guess at what was meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from webgym.errors import JudgeUnclear
from webgym.records.prompt import Completion
from webgym.records.verdict import MOST_RELEVANT, Finding

Kind = Literal["relevance", "blocked", "verdict", "whole"]
ANSWER = "answer"
"""Stands for a fact's id in marks of screenshots that tell about the answer."""
_T = TypeVar("_T")
_FENCED = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)


class _Said(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class MarkSaid(_Said, frozen=True):
    """How much a screenshot tells about a fact."""

    fact: str
    screenshot: int
    relevance: Annotated[int, msgspec.Meta(ge=0, le=MOST_RELEVANT)]


class RefusalSaid(_Said, frozen=True):
    """Whether the website refused to serve."""

    why: str
    refused: bool


class ClaimSaid(_Said, frozen=True):
    """One claim of the answer."""

    claim: str
    screenshots: list[int]
    why: str
    finding: Finding


class FactSaid(_Said, frozen=True):
    """One fact."""

    fact: str
    on_answer: bool
    screenshots: list[int]
    why: str
    finding: Finding


class ReferenceSaid(_Said, frozen=True):
    """The answer beside the reference answer."""

    why: str
    finding: Finding


class RelevanceReply(_Said, frozen=True):
    marks: list[MarkSaid]
    refusal: RefusalSaid


class BlockedReply(_Said, frozen=True):
    refusal: RefusalSaid


class VerdictReply(_Said, frozen=True):
    claims: list[ClaimSaid]
    facts: list[FactSaid]
    reference: ReferenceSaid | None


class WholeReply(_Said, frozen=True):
    marks: list[MarkSaid]
    refusal: RefusalSaid
    claims: list[ClaimSaid]
    facts: list[FactSaid]
    reference: ReferenceSaid | None


REPLIES: dict[Kind, type[_Said]] = {
    "relevance": RelevanceReply,
    "blocked": BlockedReply,
    "verdict": VerdictReply,
    "whole": WholeReply,
}


def read(finish: str, text: str, kind: type[_T]) -> _T:
    """The reply as one of these.

    Raises:
        JudgeUnclear: It is none; the message says why, in words that the model can act on.
    """
    match finish:
        case "stop":
            pass
        case "length":
            raise JudgeUnclear("it was cut off because it is too long; be much shorter.")
        case "refused":
            raise JudgeUnclear("it is a refusal; nothing is to be carried out, a record is to be checked.")
        case _:
            raise JudgeUnclear("it calls a tool, and there are none.")
    body = _body(text)
    try:
        said = msgspec.json.decode(body, type=kind)
        json.loads(body, object_pairs_hook=_each_once)
    except (ValueError, RecursionError) as error:
        raise JudgeUnclear(f"it is not JSON of the form that was asked for ({str(error)[:200]}).") from None
    return said


def finished(completion: Completion) -> Literal["stop", "length", "tool", "refused"]:
    """How a reply ended; one that came with tool calls is none."""
    return "tool" if completion.calls else completion.finish


def _body(text: str) -> str:
    """Without the fence that many models put around everything, and without thoughts before it."""
    after = text.rpartition("</think>")[2].strip()
    fenced = _FENCED.match(after)
    return fenced[1] if fenced else after


def _each_once(pairs: list[tuple[str, Any]]) -> None:
    """Readers differ on which of two equal names counts, so that neither does."""
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a name is given twice in one object")


def check_marks(marks: Sequence[MarkSaid], facts: Sequence[str], numbers: Sequence[int]) -> None:
    """Every mark is of a fact and a screenshot that were shown.

    Raises:
        JudgeUnclear: One is not.
    """
    for one in marks:
        if one.fact not in facts and one.fact != ANSWER:
            raise JudgeUnclear(f"`marks` names the fact {one.fact[:40]!r}, and there is none with that id.")
        if one.screenshot not in numbers:
            raise JudgeUnclear(f"`marks` names screenshot {one.screenshot}, which was not shown.")


def check_verdict(
    reply: VerdictReply | WholeReply, facts: Sequence[str], numbers: Sequence[int], answer: str, reference: str
) -> None:
    """Complete and coherent: every fact once, evidence for what needs it, no screenshot that was not shown.

    Raises:
        JudgeUnclear: It is not.
    """
    given = [one.fact for one in reply.facts]
    if sorted(given) != sorted(facts):
        raise JudgeUnclear(f"`facts` must hold each of {', '.join(facts)} exactly once.")
    if bool(reply.claims) != bool(answer.strip()):
        raise JudgeUnclear("`claims` must be empty if the answer is, and must not be empty otherwise.")
    if (reply.reference is not None) != bool(reference):
        raise JudgeUnclear("`reference` must be null if there is no REFERENCE, and must not be null otherwise.")
    for one in (*reply.facts, *reply.claims):
        if unknown := set(one.screenshots) - set(numbers):
            raise JudgeUnclear(f"`screenshots` names {min(unknown)}, which was not shown.")
        if one.finding in {"supported", "contradicted"} and not one.screenshots and not _rests_on_answer(one, answer):
            raise JudgeUnclear(f"something is said to be {one.finding} without a screenshot that shows it.")
    if not answer.strip() and any(_says_same(one) for one in (*reply.facts, reply.reference)):
        raise JudgeUnclear("the answer is empty, and cannot say what a fact or REFERENCE wants it to say.")


def _says_same(one: FactSaid | ReferenceSaid | None) -> bool:
    """Whether the answer is found to say what it should."""
    match one:
        case FactSaid(on_answer=True, finding="supported") | ReferenceSaid(finding="supported"):
            return True
        case _:
            return False


def _rests_on_answer(one: FactSaid | ClaimSaid, answer: str) -> bool:
    if not isinstance(one, FactSaid) or not one.on_answer:
        return False
    return one.finding == "contradicted" or bool(answer.strip())
