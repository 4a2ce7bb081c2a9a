"""Overrides of individual costs."""

from __future__ import annotations

import math
from collections.abc import Mapping

import msgspec

from webgym_bench.plan.costs import Costs
from webgym_bench.plan.latency import Latency, Lognormal


def changed(costs: Costs, by: Mapping[str, float | None]) -> Costs:
    """Override `cpu` (mean CPU seconds of a page), `page`, `reply` (medians), `sigma` (of all three), others by name.

    A measured distribution ignores `sigma`, unless its own mean or median is overridden.
    """
    sigma = by.get("sigma")
    plain = {name: by[name] for name in ("idle_cpus", "pause", "gpu_seconds") if by.get(name) is not None}
    cpu = _latency(costs.cpu, None, sigma)
    mean = by.get("cpu")
    if mean is not None:
        tail = sigma if sigma is not None else costs.cpu.sigma if isinstance(costs.cpu, Lognormal) else 0.0
        cpu = Lognormal(mean * math.exp(-(tail**2) / 2), tail)
    return msgspec.structs.replace(
        costs,
        cpu=cpu,
        page=_latency(costs.page, by.get("page"), sigma),
        reply=_latency(costs.reply, by.get("reply"), sigma),
        **plain,
    )


def _latency(latency: Latency, median: float | None, sigma: float | None) -> Latency:
    match latency:
        case Lognormal():
            return Lognormal(
                latency.median if median is None else median,
                latency.sigma if sigma is None else sigma,
                latency.most,
            )
        case _:
            return latency if median is None else Lognormal(median, sigma or 0.0)
