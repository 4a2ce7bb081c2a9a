"""Curves for tests of studies."""

from __future__ import annotations

from collections.abc import Mapping

from webgym.records.curve import AttemptResults, Flow, Iteration, Lengths, Rate, UpdateSummary

NONE = Lengths(0, 0.0, 0.0)


def tried(rate: float) -> AttemptResults:
    return AttemptResults(
        success=Rate(int(100 * rate), 100, rate, rate, rate),
        by_level={},
        outcomes={},
        successes=NONE,
        failures=NONE,
        tasks=100,
        sites=9,
    )


def learned(clip: float | None = 0.1, lags: Mapping[int, int] | None = None, tokens: int = 10) -> UpdateSummary:
    figures = {} if clip is None else {"clip_share": clip}
    return UpdateSummary(rows=1, tokens=tokens, steps=1, lr=1.0, figures=figures, fates={}, lags=dict(lags or {}))


def curve(
    found: Mapping[int, float], *, seconds: float = 10.0, evaluate: float = 0.0, update: UpdateSummary | None = None
) -> list[Iteration]:
    """Evaluations by iteration; every iteration takes as long, evaluations come on top."""
    clock, entries = 1000.0, []
    for iteration in range(max(found) + 1):
        spent = {"collect": seconds - 2.0, "learn": 2.0} if iteration else {}
        if iteration in found and evaluate:
            spent["evaluate"] = evaluate
        clock += sum(spent.values())
        entries.append(
            Iteration(
                iteration=iteration,
                version=iteration,
                ended=clock,
                train=None,
                learned=update if iteration else None,
                evaluation=tried(found[iteration]) if iteration in found else None,
                seconds=spent,
                steps_per_second=0.0,
                tokens_per_second=0.0,
            )
        )
    return entries


def flow(mean: float, most: int) -> Flow:
    return Flow(mean, most, 0, 0, 0, {}, {})
