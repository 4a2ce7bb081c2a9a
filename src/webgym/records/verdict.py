"""Verdicts: findings on every fact and claim of an attempt, with the screenshots as evidence."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

Finding = Literal["supported", "contradicted", "not_shown", "abstain"]
"""The evidence supports the statement, contradicts it, shows neither, or the judge cannot tell."""
FINDINGS: tuple[Finding, ...] = ("supported", "contradicted", "not_shown", "abstain")
MOST_RELEVANT = 3
"""The highest relevance: the screenshot shows that a fact holds, or that it does not. 0 is irrelevant."""


class Shot(Record, frozen=True):
    """A screenshot available to a judge. Repeated sightings of the same picture are merged."""

    address: str
    steps: tuple[int, ...]
    """Steps whose observation shows it, from 1; the last step plus one stands for the observation after it."""
    shown: bool = False
    """Whether it is a keyframe: shown to the judge in full for the verdict."""


class FactVerdict(Record, frozen=True):
    """Whether one fact of a task's rubric holds."""

    group: int
    """Id of the fact group in the rubric."""
    fact: int
    """Index in the group, from 0."""
    holds: bool
    """Whether the fact is known to hold."""
    finding: Finding | None = None
    """None if the judge knows only whether the fact holds, as exact judges do."""
    screenshots: tuple[int, ...] = ()
    """The evidence: indices into the verdict's `shots`."""
    why: str = ""
    """The judge's explanation."""

    def __post_init__(self) -> None:
        """Check that a fact holds exactly if it is supported."""
        if self.finding is not None and self.holds != (self.finding == "supported"):
            raise ValueError(f"a fact that is {self.finding} cannot have holds={self.holds}")

    @property
    def found(self) -> Finding:
        """The finding, derived from `holds` if the judge gave none."""
        return self.finding or ("supported" if self.holds else "contradicted")


class ClaimVerdict(Record, frozen=True):
    """Whether the screenshots support a claim of the final answer (criterion B)."""

    claim: str
    finding: Finding
    screenshots: tuple[int, ...] = ()
    """As in `FactVerdict`."""
    why: str = ""


class VerdictCost(Record, frozen=True):
    """What a verdict cost."""

    calls: int = 0
    """Requests sent and answered."""
    remembered: int = 0
    """Requests answered from the cache, at no cost."""
    prompt_tokens: int = 0
    sampled_tokens: int = 0
    pictures: int = 0
    """Pictures sent with these calls."""
    picture_bytes: int = 0
    dollars: float = 0.0

    def __add__(self, other: VerdictCost) -> VerdictCost:
        """Add field by field."""
        pairs = ((getattr(self, name), getattr(other, name)) for name in self.__struct_fields__)
        return VerdictCost(*(mine + yours for mine, yours in pairs))


class Verdict(Record, frozen=True):
    """A judge's verdict on one attempt."""

    facts: tuple[FactVerdict, ...]
    """Criterion A."""
    claims: tuple[ClaimVerdict, ...] = ()
    """Criterion B."""
    reference: Finding | None = None
    """Whether the answer agrees with the reference answer; None if there is none."""
    blocked: str = ""
    """Evidence that the website refused to serve the agent; empty if there is none."""
    shots: tuple[Shot, ...] = ()
    """Ordered by when they were last seen."""
    relevance: tuple[tuple[int, ...], ...] = ()
    """Relevance of each shot to each fact, 0 to 3: a row for each of `facts`, a column for each of `shots`."""
    credit: float | None = None
    """What a failure is worth as partial credit, from 0 to 1, if the judge says so itself; None: the share of facts
    that hold."""
    judge: str = ""
    """Name of the judge: `exact`, `rubric:` plus its model, or the name of a custom judge."""
    config: str = ""
    """Hash of everything that determines how it judges."""
    spent: VerdictCost = VerdictCost()
    second: Verdict | None = None
    """Verdict of a second judge, for comparison only."""
    second_failed: str = ""
    """Why the second judge reached no verdict."""

    @property
    def complete(self) -> bool:
        """Whether there are facts and the judge abstained on nothing. An incomplete verdict yields no reward."""
        return bool(self.facts) and not self.abstained

    @property
    def abstained(self) -> int:
        """Number of facts, claims and references on which the judge abstained."""
        findings = [fact.finding for fact in self.facts] + [claim.finding for claim in self.claims] + [self.reference]
        return findings.count("abstain")

    @property
    def success(self) -> bool:
        """Whether every fact holds, every claim is supported, and the answer agrees with the reference, if any."""
        return (
            self.complete
            and all(fact.holds for fact in self.facts)
            and all(claim.finding == "supported" for claim in self.claims)
            and self.reference in {None, "supported"}
        )


def fact_verdict(
    group: int, fact: int, finding: Finding, screenshots: tuple[int, ...] = (), why: str = ""
) -> FactVerdict:
    """Make a `FactVerdict` from a finding."""
    return FactVerdict(group, fact, finding == "supported", finding, screenshots, why)
