"""The report of a site check, as figures and as text."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import msgspec

from webgym.records.task import Level
from webgym_hermetic.checks.attempt import Step
from webgym_hermetic.checks.check import Outcome
from webgym_hermetic.checks.jobs import Kind

LEVELS: tuple[Level, ...] = ("easy", "medium", "hard")
_SHOWN_STEPS = 12


@dataclass(frozen=True, slots=True)
class Catalogue:
    """Counts over the whole catalogue."""

    families: int
    sites: int
    tasks: int
    tasks_by_level: dict[Level, int]
    digest: str
    """Hash of all tasks, the same on every machine."""
    seconds: float
    """Time taken to generate them."""


@dataclass(frozen=True, slots=True)
class Report:
    """All outcomes of a check."""

    outcomes: Sequence[Outcome]
    catalogue: Catalogue | None
    seconds: float

    def of(self, kind: Kind) -> list[Outcome]:
        return [one for one in self.outcomes if one.job.kind == kind]

    def success(self, kind: Kind) -> float | None:
        """Share of successful attempts of a kind."""
        chosen = self.of(kind)
        return round(sum(one.succeeded for one in chosen) / len(chosen), 4) if chosen else None

    @property
    def failures(self) -> list[Outcome]:
        """Attempts with an unexpected result. Lucky random clickers are only counted."""
        return [one for one in self.outcomes if one.job.kind != "random" and not one.as_expected]

    def steps_by_difficulty(self) -> dict[Level, dict[str, float]]:
        """Return step statistics of successful oracles by level."""
        lengths: dict[Level, list[int]] = defaultdict(list)
        for one in self.of("oracle"):
            if one.attempted is not None and one.succeeded:
                lengths[one.job.task.level].append(len(one.attempted.steps))
        return {
            level: {"tasks": len(found), "median": median(found), "longest": max(found)}
            for level in LEVELS
            if (found := lengths[level])
        }

    def as_json(self) -> dict[str, Any]:
        spoiled = self.of("spoiled")
        return {
            "families": self.catalogue.families if self.catalogue else None,
            "sites": self.catalogue.sites if self.catalogue else None,
            "tasks": self.catalogue.tasks if self.catalogue else None,
            "tasks_by_difficulty": self.catalogue.tasks_by_level if self.catalogue else None,
            "tasks_sha256": self.catalogue.digest if self.catalogue else None,
            "generation_seconds": round(self.catalogue.seconds, 1) if self.catalogue else None,
            "templates": len({(one.job.site.family, one.job.task.template) for one in self.of("oracle")}),
            "sites_tried": len({one.job.site.name for one in self.outcomes}),
            "attempts": {kind: len(self.of(kind)) for kind in ("oracle", "perturbed", "spoiled", "noop", "random")},
            "oracle_success": self.success("oracle"),
            "perturbed_oracle_success": self.success("perturbed"),
            "noop_success": self.success("noop"),
            "random_success": self.success("random"),
            "spoiled_exact": round(sum(one.as_expected for one in spoiled) / len(spoiled), 4) if spoiled else None,
            "steps_by_difficulty": self.steps_by_difficulty(),
            "steps": sum(len(one.attempted.steps) for one in self.outcomes if one.attempted),
            "failures": len(self.failures),
            "seconds": round(self.seconds, 1),
        }


def describe(outcome: Outcome) -> str:
    """Describe an attempt in detail, to explain why it went wrong."""
    job = outcome.job
    size = f"{job.viewport.width}x{job.viewport.height}"
    where = f"{job.site.family}-{job.site.number}, {job.site.structure}, {job.site.shell}, {size}"
    lines = [f"{job.kind} {job.task.task_id} ({where})", f"  task: {job.task.instruction}"]
    if outcome.attempted is None:
        return "\n".join([*lines, f"  {outcome.trouble}"])
    if job.spoiled:
        lines.append(f"  left out: {_fact(outcome, job.spoiled)}")
    lines += [f"  missed: {_fact(outcome, where)}" for where in outcome.missed]
    lines.append(f"  answer: {outcome.attempted.answer!r}" if outcome.attempted.answered else "  no answer")
    steps = outcome.attempted.steps
    lines += [f"  step {number}: {_step(step)}" for number, step in list(enumerate(steps, 1))[-_SHOWN_STEPS:]]
    return "\n".join(lines)


def trace(outcome: Outcome) -> bytes:
    """Encode everything about an attempt as one line of JSON."""
    job = outcome.job
    steps = outcome.attempted.steps if outcome.attempted else ()
    return msgspec.json.encode(
        {
            "kind": job.kind,
            "site": job.site.name,
            "task": job.task,
            "as_expected": outcome.as_expected,
            "missed": outcome.missed,
            "trouble": outcome.trouble,
            "answer": outcome.attempted.answer if outcome.attempted else None,
            "steps": [{"url": one.url, "decision": one.decision, "effect": one.effect} for one in steps],
        }
    )


def _fact(outcome: Outcome, where: tuple[int, int]) -> str:
    group, fact = where
    return f"{group}.{fact} {outcome.job.task.rubric[group - 1].facts[fact]!r}"


def _step(step: Step) -> str:
    action = type(step.decision.action).__name__
    path = "/" + step.url.partition("://")[2].partition("/")[2]
    return f"{path}  {action} {step.decision.sentence} -> {step.effect}"
