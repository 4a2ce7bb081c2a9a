"""The request to a measuring process, and its answer."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

System = Literal["plain", "packed", "compiled"]


class Spec(Record, frozen=True, omit_defaults=False):
    """One system at one size."""

    system: System
    size: str
    rows: int
    """Rows per step. Ours takes one optimizer step over all of them, the plain loop one per micro-batch."""
    plain_rows: int
    """Rows per micro-batch of the plain loop, padded to the longest."""
    seconds: float
    """Time budget: no further step begins once it is spent."""
    steps: int = 3
    """Most steps to time."""
    device: str = "auto"
    seed: int = 0
    profile: str = ""
    """Folder for a profile of a step; empty for none."""


class Found(Record, frozen=True, omit_defaults=False):
    """The result of one measurement."""

    system: System
    size: str
    error: str = ""
    device: str = ""
    seconds: float = 0.0
    """Median duration of a step over all rows."""
    cpu_seconds: float = 0.0
    """Median CPU time of a step: less noisy than wall-clock time on a busy machine without a GPU."""
    steps: int = 0
    tokens: int = 0
    """Tokens of a step, without padding."""
    patches: int = 0
    tokens_per_second: float = 0.0
    useful_tflops: float = 0.0
    """TFLOP/s of the model: 6 N per token (text) and per patch (vision), without recomputation."""
    peak_tflops: float = 0.0
    """Throughput of a large matrix product, measured in the same process."""
    utilisation: float = 0.0
    memory_gb: float = 0.0
    optimizer_seconds: float = 0.0
    """Part of the step spent in the optimizer."""
    waits: dict[str, int] = {}
    """Device synchronisations per step, by source line."""
    loss: float = 0.0
    settings: str = ""
