"""Compute the curve entry of an iteration."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from webgym.records.curve import AttemptResults, GroupShares, Iteration, Lengths, UpdateSummary
from webgym.records.sample import TrainingResult
from webgym.run.summary import summarise
from webgym.store.malformed import malformed_warning
from webgym.store.rows import Row


def tried(rows: Sequence[Row]) -> AttemptResults:
    """Summarise attempts."""
    found = summarise(rows)
    graded = [row for row in rows if row.reward is not None]
    return AttemptResults(
        success=found.success_over_graded,
        by_level=found.by_level,
        outcomes=found.outcomes,
        successes=lengths([row for row in graded if row.outcome == "success"]),
        failures=lengths([row for row in graded if row.outcome != "success"]),
        tasks=found.tasks,
        sites=len({row.site for row in rows}),
        masked=found.masked,
        grouped=grouped(rows),
        malformed=malformed_warning(found.malformed, found.replies),
    )


def grouped(rows: Sequence[Row]) -> GroupShares | None:
    """Count groups by whether their rewards differ; None if every group has a single attempt."""
    groups: dict[str, list[float | None]] = {}
    for row in rows:
        groups.setdefault(row.group or row.attempt_id, []).append(row.reward)
    if all(len(members) < 2 for members in groups.values()):
        return None
    kinds = Counter(_kind([member for member in members if member is not None]) for members in groups.values())
    shares = {kind: kinds[kind] / len(groups) for kind in ("too_few", "all_pass", "all_fail")}
    return GroupShares(len(groups), **shares)


def _kind(rewards: Sequence[float]) -> str:
    if len(rewards) < 2:
        return "too_few"
    if min(rewards) < max(rewards):
        return "mixed"
    return "all_pass" if rewards[0] > 0 else "all_fail"


def learned(
    trained: TrainingResult, fates: Mapping[str, int], lags: Mapping[int, int], lacking: int = 0
) -> UpdateSummary:
    """Summarise an update; `lacking` is the number of samples left out before the trainer."""
    all_lacking = lacking + trained.figures.get("lacking", 0)
    return UpdateSummary(
        rows=trained.rows,
        tokens=trained.tokens,
        steps=trained.steps,
        lr=trained.lr,
        figures=trained.figures | ({"lacking": float(all_lacking)} if all_lacking else {}),
        fates=dict(fates),
        lags=dict(sorted(lags.items())),
    )


def speed(rows: Sequence[Row], since: float, seconds: float) -> tuple[float, float]:
    """Return steps and sampled tokens per second.

    Attempts that ended before `since`, the start of this process, are not counted: `seconds` does not cover them.
    """
    if not seconds:
        return 0.0, 0.0
    own = [row for row in rows if row.ended is None or row.ended >= since]
    return sum(row.steps for row in own) / seconds, sum(row.sampled_tokens for row in own) / seconds


def trained_seconds(iterations: Sequence[Iteration]) -> float:
    """Return the seconds that these iterations trained, without evaluations between them."""
    return sum(sum(iteration.seconds.values()) - iteration.seconds.get("evaluate", 0.0) for iteration in iterations)


def lengths(rows: Sequence[Row]) -> Lengths:
    """Return mean steps, and mean sampled tokens per step."""
    steps = sum(row.steps for row in rows)
    return Lengths(
        attempts=len(rows),
        steps=steps / max(1, len(rows)),
        tokens_per_step=sum(row.sampled_tokens for row in rows) / max(1, steps),
    )
