"""How an attempt is judged: fact by fact, claim by claim, on the screenshots that show it."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

Finding = Literal["supported", "contradicted", "not_shown", "abstain"]
"""What the evidence says: it shows that it is so, that it is not so, neither; or the judge cannot tell."""
FINDINGS: tuple[Finding, ...] = ("supported", "contradicted", "not_shown", "abstain")
MOST_RELEVANT = 3
"""The highest relevance: the screenshot shows that a fact holds, or that it does not. 0: nothing to do with it."""


class Shot(Record, frozen=True):
    """A screenshot that a judge knows of. The same picture seen several times is one."""

    address: str
    steps: tuple[int, ...]
    """Steps before which it was seen, from 1; one more than the last step: after the last action."""
    shown: bool = False
    """Whether the judge saw it in full for its verdict: a keyframe."""


class FactVerdict(Record, frozen=True):
    """Whether one fact of a task's rubric holds."""

    group: int
    """Of the rubric, by its id."""
    fact: int
    """Of the group, counted from 0."""
    holds: bool
    """Whether it is known to hold."""
    finding: Finding | None = None
    """None if the judge knows only whether it holds, as the site itself does."""
    screenshots: tuple[int, ...] = ()
    """What it rests on: places in the verdict's `shots`, from 0."""
    why: str = ""
    """In the judge's words."""

    def __post_init__(self) -> None:
        """What is not supported does not hold."""
        if self.finding is not None and self.holds != (self.finding == "supported"):
            raise ValueError(f"a fact that is {self.finding} cannot have holds={self.holds}")

    @property
    def found(self) -> Finding:
        """Its finding; of a judge that knows only whether it holds, `supported` or `contradicted`."""
        return self.finding or ("supported" if self.holds else "contradicted")


class ClaimVerdict(Record, frozen=True):
    """Whether something that the final answer claims was seen (criterion B)."""

    claim: str
    finding: Finding
    screenshots: tuple[int, ...] = ()
    """As of a fact."""
    why: str = ""


class Spent(Record, frozen=True):
    """What a verdict took."""

    calls: int = 0
    """Requests that were sent and answered."""
    remembered: int = 0
    """Requests that were answered from memory, at no cost."""
    prompt_tokens: int = 0
    sampled_tokens: int = 0
    pictures: int = 0
    """Sent with those calls."""
    picture_bytes: int = 0
    dollars: float = 0.0

    def __add__(self, other: Spent) -> Spent:
        """Both together."""
        pairs = ((getattr(self, name), getattr(other, name)) for name in self.__struct_fields__)
        return Spent(*(one + two for one, two in pairs))


class Verdict(Record, frozen=True):
    """A judge's word on one attempt."""

    facts: tuple[FactVerdict, ...]
    """Criterion A."""
    claims: tuple[ClaimVerdict, ...] = ()
    """Criterion B."""
    reference: Finding | None = None
    """Whether the answer says what the reference answer says; None if there is no reference answer."""
    blocked: str = ""
    """What says that the website refused to serve the agent; empty: nothing."""
    shots: tuple[Shot, ...] = ()
    """In the order in which they were last seen."""
    relevance: tuple[tuple[int, ...], ...] = ()
    """How much each shot tells about each fact, 0 to 3: a row for each of `facts`, a column for each of `shots`."""
    judge: str = ""
    """Its name: `exact`, `rubric:` and its model, or whatever a judge of one's own calls itself."""
    config: str = ""
    """Hash of all that decides how it judges."""
    spent: Spent = Spent()
    second: Verdict | None = None
    """Of a second judge, which does not count and is there to be compared."""
    second_failed: str = ""
    """Why the second judge came to none."""

    @property
    def complete(self) -> bool:
        """Whether there is a finding on everything. Without that there is no reward, neither 1 nor 0."""
        return bool(self.facts) and not self.abstained

    @property
    def abstained(self) -> int:
        """On how many facts, claims and references the judge could not tell."""
        findings = [one.finding for one in self.facts] + [one.finding for one in self.claims] + [self.reference]
        return findings.count("abstain")

    @property
    def success(self) -> bool:
        """Whether every fact holds, every claim was seen, and the answer is the reference's. No facts, no success."""
        return (
            self.complete
            and all(one.holds for one in self.facts)
            and all(one.finding == "supported" for one in self.claims)
            and self.reference in {None, "supported"}
        )


def fact_verdict(
    group: int, fact: int, finding: Finding, screenshots: tuple[int, ...] = (), why: str = ""
) -> FactVerdict:
    """A fact's verdict by its finding."""
    return FactVerdict(group, fact, finding == "supported", finding, screenshots, why)
