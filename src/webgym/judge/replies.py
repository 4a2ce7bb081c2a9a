"""The schemas of the judge's replies, and strict validation against them. A reply that fails it yields no verdict.

Nothing but exactly the requested format becomes a finding: no keyword search, no defaults for missing fields, no
guessing.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeVar

import msgspec

from webgym.errors import JudgeUnclear
from webgym.records.verdict import MOST_RELEVANT, Finding

Kind = Literal["relevance", "blocked", "verdict", "whole"]
ANSWER = "answer"
"""Takes the place of a fact id in marks for the answer."""
_T = TypeVar("_T")
_FENCED = re.compile(r"\A```(?:json)?[ \t]*\n(.*)\n```\Z", re.DOTALL)


class _StrictReply(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    pass


class MarkReply(_StrictReply, frozen=True):
    """The relevance of a screenshot to a fact."""

    fact: str
    screenshot: int
    relevance: Annotated[int, msgspec.Meta(ge=0, le=MOST_RELEVANT)]


class RefusalReply(_StrictReply, frozen=True):
    """Whether the website refused to serve."""

    why: str
    refused: bool


class ClaimReply(_StrictReply, frozen=True):
    """The finding on one claim of the answer."""

    claim: str
    screenshots: list[int]
    why: str
    finding: Finding


class FactReply(_StrictReply, frozen=True):
    """The finding on one fact."""

    fact: str
    on_answer: bool
    screenshots: list[int]
    why: str
    finding: Finding


class ReferenceReply(_StrictReply, frozen=True):
    """The answer compared with the reference answer."""

    why: str
    finding: Finding


class RelevanceReply(_StrictReply, frozen=True):
    marks: list[MarkReply]
    refusal: RefusalReply


class BlockedReply(_StrictReply, frozen=True):
    refusal: RefusalReply


class VerdictReply(_StrictReply, frozen=True):
    claims: list[ClaimReply]
    facts: list[FactReply]
    reference: ReferenceReply | None


class WholeReply(_StrictReply, frozen=True):
    marks: list[MarkReply]
    refusal: RefusalReply
    claims: list[ClaimReply]
    facts: list[FactReply]
    reference: ReferenceReply | None


REPLIES: dict[Kind, type[_StrictReply]] = {
    "relevance": RelevanceReply,
    "blocked": BlockedReply,
    "verdict": VerdictReply,
    "whole": WholeReply,
}


def read(finish: str, text: str, kind: type[_T]) -> _T:
    """Parse a reply as this type.

    Raises:
        JudgeUnclear: It does not match; the message tells the model what to change.
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


def _body(text: str) -> str:
    """Strip reasoning and the code fence that many models add."""
    after = text.rpartition("</think>")[2].strip()
    fenced = _FENCED.match(after)
    return fenced[1] if fenced else after


def _each_once(pairs: list[tuple[str, Any]]) -> None:
    """Reject duplicate keys: JSON parsers disagree on which one wins."""
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a name is given twice in one object")


def check_marks(marks: Sequence[MarkReply], facts: Sequence[str], numbers: Sequence[int]) -> None:
    """Check that every mark names a fact and a screenshot that were shown.

    Raises:
        JudgeUnclear: A mark does not.
    """
    for mark in marks:
        if mark.fact not in facts and mark.fact != ANSWER:
            raise JudgeUnclear(f"`marks` names the fact {mark.fact[:40]!r}, and there is none with that id.")
        if mark.screenshot not in numbers:
            raise JudgeUnclear(f"`marks` names screenshot {mark.screenshot}, which was not shown.")


def check_verdict(
    reply: VerdictReply | WholeReply, facts: Sequence[str], numbers: Sequence[int], answer: str, reference: str
) -> None:
    """Check that a reply is complete and consistent: each fact once, evidence cited, only screenshots that were shown.

    Raises:
        JudgeUnclear: It is not.
    """
    given = [fact.fact for fact in reply.facts]
    if sorted(given) != sorted(facts):
        raise JudgeUnclear(f"`facts` must hold each of {', '.join(facts)} exactly once.")
    if bool(reply.claims) != bool(answer.strip()):
        raise JudgeUnclear("`claims` must be empty if the answer is, and must not be empty otherwise.")
    if (reply.reference is not None) != bool(reference):
        raise JudgeUnclear("`reference` must be null if there is no REFERENCE, and must not be null otherwise.")
    for statement in (*reply.facts, *reply.claims):
        if unknown := set(statement.screenshots) - set(numbers):
            raise JudgeUnclear(f"`screenshots` names {min(unknown)}, which was not shown.")
        if (
            statement.finding in {"supported", "contradicted"}
            and not statement.screenshots
            and not _rests_on_answer(statement, answer)
        ):
            raise JudgeUnclear(f"something is said to be {statement.finding} without a screenshot that shows it.")
    if not answer.strip() and any(_says_same(statement) for statement in (*reply.facts, reply.reference)):
        raise JudgeUnclear("the answer is empty, and cannot say what a fact or REFERENCE wants it to say.")


def _says_same(one: FactReply | ReferenceReply | None) -> bool:
    """Whether the finding is that the answer says what it should."""
    match one:
        case FactReply(on_answer=True, finding="supported") | ReferenceReply(finding="supported"):
            return True
        case _:
            return False


def _rests_on_answer(one: FactReply | ClaimReply, answer: str) -> bool:
    if not isinstance(one, FactReply) or not one.on_answer:
        return False
    return one.finding == "contradicted" or bool(answer.strip())
