"""`webgym bench flow`, with its processes. Ratios have wide bounds: machines that run tests are busy."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

SMALL = "--browsers 8 --groups 2 --members 4".split()
EVEN = "--sigma 0 --stragglers 0 --lengths 6:6 --train-seconds 0 --restart-seconds 0 --refresh-seconds 0".split()


def measured(*flags: str, seconds: float) -> dict[str, Any]:
    command = [sys.executable, "-m", "webgym", "bench", "flow", "--json", *flags]
    found = subprocess.run(command, capture_output=True, text=True, timeout=seconds, check=False)
    assert found.returncode == 0, found.stderr
    return json.loads(found.stdout.splitlines()[-1])


@pytest.mark.timeout(150)
def test_without_tails_and_without_costs_of_training_both_ways_are_about_as_fast():
    flags = [*SMALL, *EVEN, "--scale", "0.3", "--updates", "3", "--overlapping", "3", "--warmup", "1"]
    found = measured(*flags, seconds=140)
    assert 0.7 < found["async_over_sync"] < 1.4
    assert found["split"]["restarts"] == pytest.approx(1.0, abs=0.05)
    # The same attempts with the same steps: six for each.
    for way in ("asynchronous", "synchronous"):
        assert found[way]["trajectories"] == 3 * 8
        assert found[way]["steps"] == 6 * 3 * 8


@pytest.mark.full
@pytest.mark.timeout(200)
def test_it_says_what_overlap_barrier_and_restarts_are_worth(tmp_path: Path):
    flags = [*SMALL, *"--scale 0.15 --updates 2 --overlapping 4 --warmup 2 --log".split(), str(tmp_path / "log.jsonl")]
    found = measured(*flags, seconds=190)
    assert found["async_over_sync"] > 1.2
    parts = found["split"]
    product = parts["restarts"] * parts["overlap"] * parts["barrier"]
    assert product == pytest.approx(found["async_over_sync"], rel=0.02)
    assert min(parts["restarts"], parts["overlap"]) > 1.0
    assert found["lag_max"] <= 2
    assert found["lag_mean"] > 0
    assert found["synchronous"]["lag_max"] == 0
    assert found["idle"]["asynchronous"]["browser"] < found["idle"]["synchronous"]["browser"]
    assert set(found["idle"]["synchronous"]) == {"browser", "inference", "trainer"}
    assert found["bytes_per_step"]["fp32_over_all"] >= 50
    assert found["bytes_per_step"]["all"] <= 250_000
    lines = (tmp_path / "log.jsonl").read_text("utf-8").splitlines()
    assert len(lines) == 1 + (2 + 4) + (1 + 2)


@pytest.mark.full
def test_asynchronous_training_is_as_much_faster_as_published():
    found = measured(seconds=1200)
    assert found["lag_max"] <= 2
    assert found["async_over_sync"] > 1.8
    if found["busy_elsewhere"] > 0.3:
        pytest.skip(f"others used {found['busy_elsewhere']:.0%} of the machine: {found['async_over_sync']} says little")
    assert found["async_over_sync"] >= 2.9
