"""`webgym plan`, as it is typed."""

from __future__ import annotations

import json
import re
from pathlib import Path

import anyio
import msgspec
import pytest
from tests.unit.store.making import META, attempt, step
from typer.testing import CliRunner

from webgym.cli.main import app
from webgym.errors import ConfigError
from webgym.records.trajectory import Ending, StepTimes, Success
from webgym.store.write import open_writer
from webgym_bench.plan.costs import Work
from webgym_bench.plan.latency import mean_of
from webgym_bench.plan.measured import costs_of, seen, work_of
from webgym_bench.plan.published import FITTED


def typed(*flags: str):
    return CliRunner().invoke(app, ["plan", *flags])


def last_line(*flags: str):
    found = typed(*flags, "--json")
    assert found.exit_code == 0, found.output
    return json.loads(found.stdout.splitlines()[-1])


def test_several_farms_are_compared_and_one_that_cannot_work_is_told():
    found = last_line("--cpus", "16", "--cpus", "64", "--browsers", "64", "--gpus", "4", "--trajectories", "200")
    first, second = found["plan"]
    assert "open pages alone need 23 cores" in first["overloaded"]
    asynchronous, lockstep = second["outcomes"]
    assert asynchronous["steps_per_minute"] > lockstep["steps_per_minute"] > 0
    assert second["cost_per_1000"][0] < second["cost_per_1000"][1]
    assert set(second["advice"]["gates"]) == {"open", "navigate", "act", "observe", "infer"}


def test_with_gpus_that_train_training_is_simulated_three_ways():
    flags = "--cpus 64 --browsers 64 --gpus 8 --trainer-gpus 4 --groups 4 --members 4".split()
    (only,) = last_line(*flags)["plan"]
    ways = {one["way"]: one for one in only["outcomes"]}
    assert set(ways) == {"asynchronous", "barrier", "lockstep"}
    assert ways["asynchronous"]["trajectories_per_hour"] > ways["lockstep"]["trajectories_per_hour"]
    assert ways["asynchronous"]["lag"]["most"] <= 2
    assert all(0 <= one["trainer_idle"] <= 1 for one in ways.values())
    assert "trainer gpus" in only["advice"]["gains"]


def test_lengths_that_make_no_sense_are_told():
    found = typed("--lengths", "ten")
    assert isinstance(found.exception, ConfigError)
    assert "such as 2:30" in str(found.exception)


def test_pages_without_any_processor_time_and_long_attempts_can_be_planned_for():
    flags = "--cpus 8 --browsers 8 --gpus 2 --trajectories 20 --cpu-seconds 0 --idle-cpus 0".split()
    found = typed(*flags, "--lengths", "1:300", "--mean-length", "200")
    assert found.exit_code == 0, found.exception
    assert re.search(r"browsers per CPU\W+no limit", found.output)
    (only,) = last_line(*flags)["plan"]
    assert only["advice"]["browsers_per_cpu"] is None


def test_help_says_what_is_given_in_three_parts():
    shown = typed("--help").output
    for panel in ("Hardware", "Costs", "Workload"):
        assert panel in shown


def stored(folder: Path, attempts: int) -> Path:
    """Attempts of 4 and 6 steps in turn: looks of 2 s in a queue of 1 s, replies of 3 s."""

    async def write() -> None:
        async with open_writer(folder, META) as writer:
            for number in range(attempts):
                one = attempt(number)
                await writer.begin(one)
                for place in range(1, 5 + 2 * (number % 2)):
                    made, blobs = step(place)
                    times = StepTimes(look_queued=1.0, look=2.0, infer_queued=0.5, infer=3.0)
                    await writer.step(one, msgspec.structs.replace(made, times=times), blobs)
                await writer.end(one, Ending(Success(), steps=4 + 2 * (number % 2)), {})

    anyio.run(write)
    return folder


def test_a_stored_run_gives_its_own_latencies_and_lengths(tmp_path: Path):
    found = seen(stored(tmp_path / "tried", 6))
    assert (found.steps, sorted(found.lengths)) == (30, [4, 4, 4, 6, 6, 6])
    costs = costs_of(found, FITTED, cpu_seconds=1.0)
    assert mean_of(costs.page) == pytest.approx(1.5)
    assert mean_of(costs.reply) == pytest.approx(3.0)
    assert work_of(found, Work()).mean_length == 5
    flags = "--cpus 8 --browsers 8 --gpus 2 --trajectories 40 --cpu-seconds 1 --idle-cpus 0".split()
    (only,) = last_line(*flags, "--from", str(tmp_path / "tried"))["plan"]
    assert only["outcomes"][0]["steps"] == pytest.approx(200, rel=0.15)


def test_what_a_run_cannot_tell_is_asked_for(tmp_path: Path):
    found = typed("--from", str(stored(tmp_path / "tried", 6)))
    assert isinstance(found.exception, ConfigError)
    assert "--cpu-seconds" in str(found.exception)


def test_too_few_steps_are_told(tmp_path: Path):
    with pytest.raises(ConfigError, match="timings of only 4 steps"):
        seen(stored(tmp_path / "tried", 1))
