"""Measures the engine and `generate` in alternating rounds."""

from __future__ import annotations

import os
import statistics
import tempfile
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path

import torch
from webgym_nano.folder import write_folder
from webgym_nano.model import new_model

from webgym_bench.delays import NO_DELAY
from webgym_bench.engine.conditions import Conditions
from webgym_bench.engine.sides import Run, engine_side, generate_side
from webgym_bench.engine.work import make_work
from webgym_bench.machine import hardware

Progress = Callable[[str, int, int], None]


@dataclass(frozen=True, slots=True)
class Figures:
    """The metrics of one side, over all rounds."""

    tokens_per_second: float
    cpu_ms_per_token: float
    latency_p50: float
    """Seconds from the request to the complete reply."""
    latency_p95: float
    requests: int
    tokens: int


@dataclass(frozen=True, slots=True)
class Report:
    """The results of one run."""

    conditions: Conditions
    engine: Figures
    generate: Figures
    ratios: tuple[float, ...]
    """Throughput of the engine over that of `generate`, per round."""
    cpu_ratios: tuple[float, ...]
    """CPU time per token of `generate` over that of the engine, per round; less sensitive to other load."""
    machine: dict[str, object]

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    def as_json(self) -> dict[str, object]:
        return {
            "benchmark": "engine",
            "ratio": round(self.ratio, 2),
            "cpu_ratio": round(statistics.median(self.cpu_ratios), 2),
            "ratios": [round(one, 2) for one in self.ratios],
            "cpu_ratios": [round(one, 2) for one in self.cpu_ratios],
            "engine": asdict(self.engine),
            "generate": asdict(self.generate),
            "conditions": asdict(self.conditions),
            "machine": self.machine,
        }


def compare(conditions: Conditions, progress: Progress | None = None) -> Report:
    """Measure both sides, alternating between them in each round."""
    torch.set_num_threads(conditions.threads or os.cpu_count() or 1)
    told = {**hardware(), "torch": str(torch.__version__), "transformers": version("transformers")}
    with tempfile.TemporaryDirectory(prefix="webgym-bench-") as scratch:
        folder = Path(conditions.folder or scratch)
        if not conditions.folder:
            write_folder(folder, new_model(seed=conditions.seed))
        sides = {"engine": engine_side(conditions, folder), "generate": generate_side(conditions, folder)}
        runs: dict[str, list[Run]] = {name: [] for name in sides}
        warm = make_work(replace(conditions, requests=1, think=NO_DELAY), folder, -1)
        for side in sides.values():
            side(warm)
        for number in range(conditions.rounds):
            work = make_work(conditions, folder, number)
            for name, side in sides.items():
                if progress is not None:
                    progress(name, number + 1, conditions.rounds)
                runs[name].append(side(work))
    pairs = list(zip(runs["engine"], runs["generate"], strict=True))
    return Report(
        conditions,
        _figures(runs["engine"]),
        _figures(runs["generate"]),
        tuple(_speed(one) / _speed(other) for one, other in pairs),
        tuple(_cpu(other) / _cpu(one) for one, other in pairs),
        told | {"threads": torch.get_num_threads()},
    )


def _speed(run: Run) -> float:
    return run.tokens / run.seconds


def _cpu(run: Run) -> float:
    return run.cpu_seconds / run.tokens


def _figures(runs: list[Run]) -> Figures:
    latencies = sorted(one for run in runs for one in run.latencies)
    return Figures(
        tokens_per_second=round(statistics.median(_speed(run) for run in runs), 1),
        cpu_ms_per_token=round(1000 * statistics.median(_cpu(run) for run in runs), 3),
        latency_p50=round(_quantile(latencies, 0.5), 3),
        latency_p95=round(_quantile(latencies, 0.95), 3),
        requests=len(latencies),
        tokens=sum(run.tokens for run in runs),
    )


def _quantile(ordered: list[float], share: float) -> float:
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]
