"""Measures all systems at all sizes, each in its own process, within a time budget."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import msgspec

from webgym.errors import ConfigError
from webgym.records.base import Record
from webgym_bench.trainer.sizes import SIZES
from webgym_bench.trainer.spec import Found, Spec, System

PLAIN_ROWS = {"8b": 2}
"""Rows per micro-batch of the plain loop, by size: what fits on a 141 GB GPU. Other sizes use 4."""
_START = 90.0
"""Seconds allowed per process on top of its measuring time, for start-up and shutdown."""

Told = Callable[[Found], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """What to measure."""

    sizes: tuple[str, ...]
    systems: tuple[System, ...] = ("plain", "packed", "compiled")
    rows: int = 8
    steps: int = 3
    minutes: float = 5.0
    device: str = "auto"
    seed: int = 0
    profile: str = ""
    """Folder for profiler tables; empty for none."""


class Ratio(Record, frozen=True, omit_defaults=False):
    """Our trainer relative to the plain loop, at one size."""

    size: str
    system: System
    tokens_per_second: float
    cpu: float
    """CPU time of the plain loop over ours."""
    memory: float


class Comparison(Record, frozen=True, omit_defaults=False):
    """All measurements, and the ratios to the plain loop."""

    found: tuple[Found, ...]
    ratios: tuple[Ratio, ...]
    skipped: tuple[str, ...]


def sizes_of(names: Sequence[str], device: str) -> tuple[str, ...]:
    """Return the requested sizes, or by default those that suit the device.

    Raises:
        ConfigError: There is no such size.
    """
    for name in names:
        if name not in SIZES:
            raise ConfigError(f"unknown size {name!r}; choose from {', '.join(SIZES)}")
    if names:
        return tuple(names)
    import torch  # noqa: PLC0415  slow to import

    return ("2b", "8b") if device != "cpu" and torch.cuda.is_available() else ("tiny",)


def compare(plan: Plan, told: Told) -> Comparison:
    """Measure plain and packed at every size, then compiled as far as time allows. Calls `told` with each result."""
    end = time.monotonic() + 60 * plan.minutes
    specs = [_spec(plan, size, system) for size in plan.sizes for system in plan.systems if system != "compiled"]
    specs += [_spec(plan, size, "compiled") for size in reversed(plan.sizes) if "compiled" in plan.systems]
    found: list[Found] = []
    skipped: list[str] = []
    for number, spec in enumerate(specs):
        left = end - time.monotonic()
        if left <= 20 and number:
            skipped.append(f"{spec.size} {spec.system}")
            continue
        share = left if spec.system == "compiled" else left / _still_due(specs[number:])
        found.append(_measured(msgspec.structs.replace(spec, seconds=max(20.0, min(share, left)))))
        told(found[-1])
    return Comparison(tuple(found), tuple(ratios(found)), tuple(skipped))


def _still_due(specs: Sequence[Spec]) -> int:
    return max(1, sum(spec.system != "compiled" for spec in specs))


def _spec(plan: Plan, size: str, system: System) -> Spec:
    rows = PLAIN_ROWS.get(size, 4)
    return Spec(system, size, plan.rows, rows, 0.0, plan.steps, plan.device, plan.seed, plan.profile)


def _measured(spec: Spec) -> Found:
    command = [sys.executable, "-m", "webgym_bench.trainer.measure", msgspec.json.encode(spec).decode()]
    settings = {"PYTORCH_CUDA_ALLOC_CONF": "expandable_segments:True", "TOKENIZERS_PARALLELISM": "false"}
    try:
        done = subprocess.run(  # noqa: S603  our own module
            command, stdout=subprocess.PIPE, timeout=spec.seconds + _START, env=os.environ | settings, check=False
        )
        return msgspec.json.decode(done.stdout.splitlines()[-1], type=Found)
    except subprocess.TimeoutExpired:
        return Found(spec.system, spec.size, error=f"did not finish within {spec.seconds + _START:.0f} s")
    except (msgspec.MsgspecError, IndexError):
        return Found(spec.system, spec.size, error="its process exited without a result")


def ratios(found: Sequence[Found]) -> list[Ratio]:
    """Return the ratios of our systems to the plain loop, where both succeeded."""
    plain = {each.size: each for each in found if each.system == "plain" and not each.error}
    return [
        Ratio(
            size=each.size,
            system=each.system,
            tokens_per_second=each.tokens_per_second / plain[each.size].tokens_per_second,
            cpu=plain[each.size].cpu_seconds / max(each.cpu_seconds, 1e-9),
            memory=each.memory_gb / max(plain[each.size].memory_gb, 1e-9),
        )
        for each in found
        if each.system != "plain" and not each.error and each.size in plain
    ]
