"""`webgym bench rollouts`: the same work for both, honest conditions, and a lockstep that really is one."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from PIL import Image

from webgym.errors import ConfigError
from webgym.rollout.gates import GateLimits
from webgym_bench.delays import Delay
from webgym_bench.lockstep import Cohort
from webgym_bench.rollouts.compare import Report, compare
from webgym_bench.rollouts.conditions import Conditions, page_delay, read_lengths, usual_length
from webgym_bench.rollouts.screenshots import screenshot
from webgym_bench.rollouts.simulated import WEBSITE, SimulatedBrowser
from webgym_bench.rollouts.systems import Bench
from webgym_bench.rollouts.virtual import VirtualLoop
from webgym_bench.rollouts.work import Work

COMMAND = [sys.executable, "-c", "from webgym_bench.commands.bench import app; app()", "rollouts", "--json"]


def bench(*options: str) -> dict[str, Any]:
    done = subprocess.run([*COMMAND, *options], capture_output=True, text=True, timeout=200, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    return json.loads(done.stdout.splitlines()[-1])


def in_virtual_time(**conditions: Any) -> Report:
    told = partial(compare, Conditions(virtual=True, **conditions), lambda _what, _done, _of: None)
    return anyio.run(told, backend_options={"loop_factory": VirtualLoop})


def test_heavy_tails_make_the_pool_several_times_as_fast_as_lockstep():
    report = in_virtual_time(attempts_open=64, attempts=128)

    assert report.same_work
    assert report.asynchronous.outcomes == report.lockstep.outcomes == {"success": 128}
    assert report.async_over_lockstep > 4
    assert report.async_over_lockstep_steady > report.async_over_lockstep
    assert report.lockstep.spent.at_step_barriers > 0.2
    assert report.lockstep.spent.without_attempt > 0.2
    assert report.asynchronous.spent.at_step_barriers == 0


def test_without_tails_stragglers_and_spread_both_are_equally_fast():
    report = bench("--virtual", "--attempts-open", "64", "--sigma", "0", "--stragglers", "0", "--lengths", "10:10")

    assert 0.9 < report["async_over_lockstep"] < 1.15
    assert 0.9 < report["async_over_lockstep_steady"] < 1.15
    assert report["conditions"]["page"]["sigma"] == 0
    assert report["asynchronous"]["steps"] == report["lockstep"]["steps"] == 1280


def test_one_attempt_at_a_time_knows_no_barrier():
    report = in_virtual_time(attempts_open=1, attempts=5)

    assert report.async_over_lockstep == pytest.approx(1, abs=0.01)


def test_where_time_went_adds_up():
    report = in_virtual_time(attempts_open=16, attempts=32)

    for figures in (report.asynchronous, report.lockstep):
        spent = figures.spent
        whole = spent.inferring + spent.acting + spent.finishing + spent.in_gates
        whole += spent.at_step_barriers + spent.without_attempt + spent.between
        assert whole == pytest.approx(1, abs=0.01)
        operating = spent.inferring + spent.acting + spent.finishing
        assert sum(figures.busy) / len(figures.busy) == pytest.approx(operating, abs=0.01)


def test_the_command_writes_every_operation_to_its_log(tmp_path: Path):
    log = tmp_path / "operations.jsonl"
    report = bench("--virtual", "--attempts-open", "4", "--attempts", "8", "--log", str(log))

    head, *lines = [json.loads(line) for line in log.read_text().splitlines()]
    assert head["conditions"]["attempts"] == 8
    assert Counter(line["kind"] for line in lines)["attempt"] == 16
    decided = Counter(line["system"] for line in lines if line.get("operation") == "infer")
    assert decided == {"asynchronous": report["asynchronous"]["steps"], "lockstep": report["lockstep"]["steps"]}


def test_real_time_reports_how_late_the_event_loop_was():
    report = bench(
        "--attempts-open",
        "8",
        "--lengths",
        "2:6",
        "--decision-mean",
        "0.05",
        "--straggler-seconds",
        "0.2",
        "--page-median",
        "0.02",
    )

    assert report["asynchronous"]["lag_ms_p99"] >= report["asynchronous"]["lag_ms_p50"] >= 0
    assert report["asynchronous"]["peak_mb"] > 20
    assert report["same_work"]


def test_tails_alone_do_not_make_gates_narrower():
    """Nothing here gets slower with more at once: gates may widen, but have no reason to narrow."""

    async def limits() -> list[tuple[str, int, int]]:
        work = Work(Conditions(attempts_open=256, attempts=512, virtual=True))
        wide = GateLimits(open=(64, 512), act=(128, 1024), observe=(64, 512), infer=(64, 1024))
        bench = Bench(work, SimulatedBrowser(work), WEBSITE, wide, lambda _what, _done, _of: None)
        run = await bench.asynchronous()
        before = {"open": 64, "act": 128, "observe": 64, "infer": 64}
        return [(one.operation, one.limit, before[one.operation]) for one in run.watch.limits]

    changed = anyio.run(limits, backend_options={"loop_factory": VirtualLoop})
    assert [change for change in changed if change[1] < 0.8 * change[2]] == []
    assert max(limit for operation, limit, _ in changed if operation == "infer") > 128


def test_every_draw_depends_on_nothing_but_its_key():
    first, second = Work(Conditions()), Work(Conditions())
    draws = [(work.length(7), work.decision_seconds(7, 3), work.page_seconds(7, 3)) for work in (first, second)]

    assert draws[0] == draws[1]
    assert Work(Conditions(seed=1)).decision_seconds(7, 3) != draws[0][1]


def test_draws_are_as_the_conditions_say():
    work = Work(Conditions())
    lengths = [work.length(attempt) for attempt in range(4000)]
    decisions = [work.decision_seconds(attempt, 1) for attempt in range(4000)]
    pages = sorted(work.page_seconds(attempt, 0) for attempt in range(4001))

    assert (min(lengths), max(lengths)) == (2, 30)
    assert sum(lengths) / len(lengths) == pytest.approx(13, abs=0.5)
    assert sum(seconds == 10 for seconds in decisions) / len(decisions) == pytest.approx(0.02, abs=0.01)
    others = [seconds for seconds in decisions if seconds != 10]
    assert sum(others) / len(others) == pytest.approx(1, abs=0.05)
    assert pages[2000] == pytest.approx(0.3, abs=0.03)


def test_conditions_that_contradict_themselves_are_refused():
    for refused in (
        lambda: Conditions(shortest=10, longest=10),
        lambda: Conditions(browser="chromium", virtual=True),
        lambda: read_lengths("ten"),
    ):
        with pytest.raises(ConfigError):
            refused()
    assert usual_length(10, 10) == 10
    assert usual_length(2, 30) == 13
    assert page_delay(0.3, 0) == Delay(0.3, 0)


def test_screenshots_have_the_size_of_real_ones_and_differ():
    shots = {screenshot(number) for number in range(64)}

    assert len(shots) == 64
    assert all(50_000 < len(shot) < 120_000 for shot in shots)
    assert Image.open(io.BytesIO(screenshot(3))).size == (1280, 768)


@pytest.mark.anyio
async def test_nobody_acts_before_all_have_decided():
    cohort, log = Cohort(["slow", "fast"]), []

    async def member(name: str, seconds: float) -> None:
        await cohort.turn(name, "acting")
        await cohort.turn(name, "deciding")
        await anyio.sleep(seconds)
        log.append(f"{name} decided")
        await cohort.turn(name, "acting")
        log.append(f"{name} acts")
        cohort.leave(name)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(member, "slow", 0.05)
        tasks.start_soon(member, "fast", 0.0)
    assert log[:2] == ["fast decided", "slow decided"]


@pytest.mark.anyio
async def test_whoever_decides_twice_sits_out_an_action():
    cohort, log = Cohort(["clear", "muddled"]), []

    async def member(name: str, phases: tuple[Any, ...]) -> None:
        for phase in phases:
            await cohort.turn(name, phase)
            log.append((name, phase))
        cohort.leave(name)

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(member, "clear", ("acting", "deciding", "acting", "deciding"))
        tasks.start_soon(member, "muddled", ("acting", "deciding", "deciding"))
    together = [{name for name, _ in log[i : i + 2]} for i in (0, 2)]
    assert together == [{"clear", "muddled"}] * 2
    assert log[4] == ("clear", "acting")
    assert set(log[5:]) == {("clear", "deciding"), ("muddled", "deciding")}


@pytest.mark.anyio
async def test_whoever_leaves_or_is_cancelled_holds_up_nobody():
    cohort = Cohort(["stays", "leaves", "cancelled"])
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(cohort.turn, "stays", "acting")
            with anyio.move_on_after(0.01):
                await cohort.turn("cancelled", "acting")
            cohort.leave("cancelled")
            cohort.leave("leaves")
    assert cohort.waited > 0
