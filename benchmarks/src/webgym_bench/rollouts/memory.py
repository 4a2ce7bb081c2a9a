"""Memory of a large rollout process: 1,000 open attempts of 30 steps, with pictures of realistic size.

This process runs what a user's would: the fleet's client, the pool, agents that hold the pictures of their last rounds,
prompts and tokens of realistic size, and the store on disk. Only the server side is fake.
"""

from __future__ import annotations

import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path

import aiohttp

from webgym.browser import wire
from webgym.browser.client import connect
from webgym.rollout.gates import GateLimits
from webgym.store.meta import RunMeta
from webgym.store.schema import open_to_read
from webgym.store.write import open_writer
from webgym_bench.machine import hardware
from webgym_bench.rollouts.conditions import Conditions
from webgym_bench.rollouts.fake_fleet import Counters, fake_fleet
from webgym_bench.rollouts.figures import Figures, figures
from webgym_bench.rollouts.recorder import CountingRecorder
from webgym_bench.rollouts.simulated import WEBSITE
from webgym_bench.rollouts.systems import Bench, Progress
from webgym_bench.rollouts.work import Work

ATTEMPTS = 1000
STEPS = 30
REPORT_VERSION = 1


@dataclass(frozen=True)
class MemoryReport:
    """The results of one run."""

    conditions: Conditions
    machine: dict[str, object]
    figures: Figures
    fleet: Counters
    recorded_pictures: int
    """How often a picture was handed to the store."""
    stored_pictures: int
    stored_picture_bytes: int

    @property
    def each_picture_once(self) -> bool:
        """Whether every picture that the fleet sent was handed to the store once and stored once."""
        sent = self.fleet.pictures, self.fleet.picture_bytes
        return sent == (self.recorded_pictures, self.stored_picture_bytes) and sent[0] == self.stored_pictures

    def as_json(self) -> dict[str, object]:
        return {
            "benchmark": "rollouts-memory",
            "version": REPORT_VERSION,
            "peak_mb": self.figures.peak_mb,
            "lag_ms_p50": self.figures.lag_ms_p50,
            "lag_ms_p99": self.figures.lag_ms_p99,
            "computed_ms_p99": self.figures.computed_ms_p99,
            "starved": self.figures.starved,
            "open_most": self.fleet.open_most,
            "each_picture_once": self.each_picture_once,
            "pictures_sent": self.fleet.pictures,
            "picture_bytes_sent": self.fleet.picture_bytes,
            "pictures_recorded": self.recorded_pictures,
            "pictures_stored": self.stored_pictures,
            "picture_bytes_stored": self.stored_picture_bytes,
            "asynchronous": asdict(self.figures),
            "conditions": asdict(self.conditions),
            "machine": self.machine,
        }


async def measure_memory(conditions: Conditions, progress: Progress) -> MemoryReport:
    """Run all attempts against a fake fleet, recording into a temporary run folder."""
    about = hardware()
    work = Work(conditions)
    with tempfile.TemporaryDirectory(prefix="webgym-bench-") as scratch:
        folder = Path(scratch) / "run"
        async with fake_fleet(conditions) as url, connect(url, token="none") as browser:  # noqa: S106
            async with open_writer(folder, RunMeta("bench", time.time())) as writer:
                recorder = CountingRecorder(writer)
                bench = Bench(work, browser, WEBSITE, GateLimits(), progress)
                run = await bench.asynchronous(recorder, spoken=True)
            counters = await _counters(url)
        stored, stored_bytes = _stored(folder)
    return MemoryReport(conditions, about, figures(run), counters, recorder.pictures, stored, stored_bytes)


async def _counters(url: str) -> Counters:
    async with aiohttp.ClientSession() as client, client.get(f"{url}/counters") as answer:
        return wire.decode(Counters, await answer.read())


def _stored(folder: Path) -> tuple[int, int]:
    connection = open_to_read(folder)
    try:
        count, size = connection.execute("SELECT count(*), coalesce(sum(length), 0) FROM images").fetchone()
    finally:
        connection.close()
    return count, size
