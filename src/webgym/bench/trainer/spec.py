"""What a measuring process is asked, and what it answers."""

from __future__ import annotations

from typing import Literal

from webgym.records.base import Record

System = Literal["plain", "packed", "compiled"]


class Spec(Record, frozen=True, omit_defaults=False):
    """One system at one size."""

    system: System
    size: str
    rows: int
    """In a step of ours; theirs makes a step of each micro-batch."""
    plain_rows: int
    """In a micro-batch of the plain loop, padded to the longest."""
    seconds: float
    """Until which no further step begins."""
    steps: int = 3
    """Timed, at most."""
    device: str = "auto"
    seed: int = 0
    profile: str = ""
    """A folder for a table of what takes the time of a step; empty: none is made."""


class Found(Record, frozen=True, omit_defaults=False):
    """What came of it."""

    system: System
    size: str
    error: str = ""
    device: str = ""
    seconds: float = 0.0
    """Of one step over all rows, the median."""
    cpu_seconds: float = 0.0
    """Processor time of that step: steadier than seconds on a busy machine without a GPU."""
    steps: int = 0
    tokens: int = 0
    """Real ones, padding not counted."""
    patches: int = 0
    tokens_per_second: float = 0.0
    useful_tflops: float = 0.0
    """Per second: 6 N tokens for text and 6 N patches for vision; what is computed again is not counted."""
    peak_tflops: float = 0.0
    """Of one large matrix product, in the same process."""
    utilisation: float = 0.0
    memory_gb: float = 0.0
    optimizer_seconds: float = 0.0
    """Of the step, in the optimizer."""
    waits: dict[str, int] = {}
    """How often a step waits for a GPU, by the line of code that does."""
    loss: float = 0.0
    settings: str = ""
