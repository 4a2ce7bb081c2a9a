"""Export of curves to experiment trackers, as scalars with flat names."""

from __future__ import annotations

import math
from typing import Protocol

from webgym.records.curve import AttemptResults, Flow, Iteration, Lengths, MaskedAttempts, Rate, UpdateSummary


class Tracker(Protocol):
    """An experiment tracker to which iterations are logged."""

    def write(self, iteration: Iteration) -> None:
        """Log one iteration. They come in order, except for late evaluations of earlier ones, which come alone."""
        ...

    def close(self) -> None:
        """Flush and close; nothing is written afterwards."""
        ...


def flat(iteration: Iteration) -> dict[str, float]:
    """Return every number of an iteration under a flat name such as `evaluation/success/easy`.

    Omits what was not measured: rates and lengths over no attempts, and non-finite figures.
    """
    found: dict[str, float] = {"version": iteration.version}
    if iteration.evaluation is not None:
        found |= _tried("evaluation", iteration.evaluation)
    if iteration.train is not None:
        found |= _tried("train", iteration.train)
        found["throughput/steps_per_second"] = iteration.steps_per_second
        found["throughput/tokens_per_second"] = iteration.tokens_per_second
    if iteration.learned is not None:
        found |= _learned(iteration.learned)
    if iteration.flow is not None:
        found |= _flow(iteration.flow)
    found |= {f"seconds/{phase}": seconds for phase, seconds in iteration.seconds.items()}
    return {name: float(value) for name, value in found.items() if math.isfinite(value)}


def _tried(of: str, tried: AttemptResults) -> dict[str, float]:
    found = _rate(f"{of}/success", tried.success)
    for level, rate in tried.by_level.items():
        found |= _rate(f"{of}/success/{level}", rate)
    found |= {f"{of}/outcomes/{kind}": count for kind, count in tried.outcomes.items()}
    found |= _lengths(of, "successes", tried.successes) | _lengths(of, "failures", tried.failures)
    if tried.masked is not None:
        found |= _masked(f"{of}/masked", tried.masked)
    if tried.grouped is not None:
        found |= {f"{of}/groups/{kind}": getattr(tried.grouped, kind) for kind in ("too_few", "all_pass", "all_fail")}
    return found | {f"{of}/tasks": tried.tasks, f"{of}/sites": tried.sites}


def _rate(name: str, rate: Rate) -> dict[str, float]:
    if rate.attempts == 0:
        return {}
    return {name: rate.rate, f"{name}_low": rate.low, f"{name}_high": rate.high}


def _lengths(of: str, which: str, lengths: Lengths) -> dict[str, float]:
    if lengths.attempts == 0:
        return {}
    return {
        f"{of}/steps/{which}": lengths.steps,
        f"{of}/tokens/{which}": lengths.steps * lengths.tokens_per_step,
        f"{of}/tokens_per_step/{which}": lengths.tokens_per_step,
    }


def _masked(name: str, masked: MaskedAttempts) -> dict[str, float]:
    found = {name: masked.share}
    if masked.attempts == 0:
        return found
    own = {"steps": masked.steps, "longer": masked.longer, "p_value": masked.p_value}
    return found | {f"{name}/{what}": value for what, value in own.items()}


def _learned(learned: UpdateSummary) -> dict[str, float]:
    found: dict[str, float] = {f"learned/{name}": value for name, value in learned.figures.items()}
    found |= {f"learned/fates/{fate}": count for fate, count in learned.fates.items()}
    found |= {f"learned/lags/{lag}": count for lag, count in learned.lags.items()}
    own = {"rows": learned.rows, "tokens": learned.tokens, "steps": learned.steps, "lr": learned.lr}
    return found | {f"learned/{name}": value for name, value in own.items()}


def _flow(flow: Flow) -> dict[str, float]:
    found: dict[str, float] = {f"flow/idle/{who}": share for who, share in flow.idle.items()}
    found |= {f"flow/restarts/{who}": count for who, count in flow.restarts.items()}
    own = {"lag_mean": flow.lag_mean, "lag_max": flow.lag_max, "lacking": flow.lacking}
    return (
        found
        | {f"flow/{name}": value for name, value in own.items()}
        | {
            "flow/running": flow.running,
            "flow/waiting": flow.waiting,
        }
    )
