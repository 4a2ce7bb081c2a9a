"""What `webgym bench flow` reckons, and what its processes say, without running it."""

from __future__ import annotations

import math
from pathlib import Path

import anyio
import pytest

from webgym.buffer.samples import runs
from webgym.engine import wire
from webgym.engine.request import SamplingParams
from webgym.engine.settings import EngineSettings
from webgym.errors import ConfigError, RequestError
from webgym.records.curve import Flow, Iteration, UpdateSummary
from webgym.records.observation import Blob, Capture, Observation, Viewport
from webgym.records.prompt import unpack_ids
from webgym.records.sample import PolicyVersion
from webgym.records.task import FactGroup, Task
from webgym.records.trajectory import Attempt
from webgym.run.training.curriculum import attempt_groups
from webgym.run.training.flow.meter import Meter
from webgym.run.training.flow.stream import stream
from webgym_bench.delays import Delay
from webgym_bench.flow.checkpoint import IMAGE_TOKEN, pace_of, read, write
from webgym_bench.flow.conditions import Conditions
from webgym_bench.flow.engine import PacedEngine, Statistics
from webgym_bench.flow.episodes import number_of
from webgym_bench.flow.expected import expected
from webgym_bench.flow.figures import Bytes, Figures, figures, fp32_bytes, split
from webgym_bench.flow.prompts import place_in, prompt_for, sampled, tokens_of
from webgym_bench.flow.stage import Log
from webgym_bench.rollouts.conditions import Conditions as Latencies
from webgym_bench.rollouts.work import Work, place_of

TASKS = [Task(f"t{n}", "Do it.", "http://x.localhost/", (FactGroup(1, "Done", ("Yes.",)),)) for n in range(3)]


def test_scaling_scales_every_wait_and_no_length():
    conditions = Conditions(scale=0.1, latencies=Latencies(decision=Delay(2.0, 0.6), straggler_seconds=10.0, seed=3))
    one, other = Work(conditions.latencies), Work(conditions.real())
    for step in range(1, 40):
        assert other.decision_seconds(7, step) == pytest.approx(0.1 * one.decision_seconds(7, step))
        assert other.page_seconds(7, step) == pytest.approx(0.1 * one.page_seconds(7, step))
    assert [other.length(n) for n in range(20)] == [one.length(n) for n in range(20)]


def test_what_processes_are_told_travels_like_a_checkpoint(tmp_path: Path):
    pace = pace_of(
        Conditions(groups=2, members=5, scale=0.5, train_seconds=2.0, restart_seconds=4.0, refresh_seconds=1.0)
    )
    write(tmp_path / "v1", pace)
    assert read(tmp_path / "v1") == pace
    assert (pace.train, pace.restart, pace.refresh) == (0.1, 2.0, 0.5)


def test_both_ways_give_the_same_work_to_the_same_place():
    conditions = Conditions(groups=3, members=4)
    asynchronous = stream(TASKS, 4, 0)
    streamed = [number_of(one, conditions) for _ in range(6) for one in next(asynchronous)]
    collected: list[int] = []
    for iteration in (1, 2):
        groups = attempt_groups(TASKS, iteration, 4, 0)
        collected += [number_of(one, conditions) for _ in range(3) for one in next(groups)]
    assert streamed == collected == list(range(24))
    with pytest.raises(RequestError):
        number_of(Attempt("a", TASKS[0], "alone"), conditions)


def test_a_prompt_says_where_it_is_and_has_a_place_for_its_picture():
    shot = Blob("f" * 64, "image/jpeg", 3)
    capture = Capture(Observation(1, "http://bench.localhost/12/3", "Page 3", screenshot=shot), {})
    prompt = prompt_for(4, capture)
    assert place_of(place_in(prompt)) == (12, 3)
    ids = unpack_ids(tokens_of(prompt))
    assert runs(IMAGE_TOKEN)(ids) == len(prompt.pictures) == 1
    assert len(ids) > len(unpack_ids(tokens_of(prompt_for(1, capture))))
    tokens, logprobs = sampled()
    assert len(tokens) == len(logprobs) == 4 * 200


def test_a_picture_as_a_tensor_is_as_large_as_published():
    # 1280 by 720 rounded to whole pairs of patches: 44 by 80 of them, as the released code holds.
    assert fp32_bytes(Viewport(1280, 704)) == 44 * 80 * 1536 * 4 == 21_626_880


def test_too_little_of_anything_is_refused():
    with pytest.raises(ConfigError, match="two members"):
        Conditions(members=1)
    with pytest.raises(ConfigError, match="scale"):
        Conditions(scale=0)
    with pytest.raises(ConfigError, match="at least 1"):
        Conditions(browsers=0)


def entry(iteration: int, *, lag: float | None, seconds: dict[str, float], stale: int = 0) -> Iteration:
    found = {"trajectories": 8.0, "batch_bytes": 1000.0, "picture_bytes": 9000.0, "pictures": 10.0}
    flow = None if lag is None else Flow(lag, math.ceil(lag), 0, 1, 1, {}, {})
    learned = UpdateSummary(rows=10, tokens=1, steps=1, lr=0.0, figures=found, fates={"kept": 2, "stale": stale})
    return Iteration(
        iteration=iteration,
        version=iteration,
        ended=0.0,
        train=None,
        learned=learned,
        evaluation=None,
        seconds=seconds,
        steps_per_second=0.0,
        tokens_per_second=0.0,
        flow=flow,
    )


def log_of(warmup: int, entries: list[tuple[float, Iteration]]) -> Log:
    return Log(Meter(), Meter(), Meter(), warmup, lambda _: None, entries, {"browser": 0.5})


STATISTICS = Statistics(requests=10, received=90_000, sent=10_000)


def test_only_what_comes_after_the_warm_up_counts_in_modelled_time():
    entries = [
        (at, entry(n, lag=lag, seconds={"learn": 1.0})) for n, at, lag in ((1, 0.0, 9), (2, 10.0, 1), (3, 20.0, 2))
    ]
    found = figures(Conditions(scale=0.5), log_of(1, entries), STATISTICS)
    assert (found.updates, found.trajectories, found.steps) == (2, 16, 20)
    assert found.seconds == 40.0
    assert found.trajectories_per_hour == 16 * 90
    assert found.parts == {"learn": 2.0}
    assert (found.lag_mean, found.lag_max) == (1.5, 2)
    sizes = found.bytes_per_step
    assert (sizes.inference, sizes.training, sizes.all) == (10_000, 1000, 11_000)
    assert sizes.fp32_over_all == pytest.approx(fp32_bytes(Viewport()) / 11_000, rel=0.01)


def made(per_update: float, parts: dict[str, float]) -> Figures:
    sizes = Bytes(1, 1, 2, 100, 50)
    return Figures(1, per_update, per_update, 8, 1.0, 8, parts, 0, 0, {}, 0, sizes)


def test_the_parts_of_the_gain_multiply_to_the_whole():
    sync = made(100.0, {"collect": 70.0, "sleep": 1.0, "learn": 20.0, "wake": 9.0})
    found = split(sync, made(25.0, {}))
    assert found.restarts == pytest.approx(100 / 90, abs=1e-3)
    assert found.overlap == pytest.approx(90 / 70, abs=1e-3)
    assert found.barrier == pytest.approx(70 / 25, abs=1e-3)
    assert found.restarts * found.overlap * found.barrier == pytest.approx(4.0, rel=0.01)


def test_the_scale_model_expects_the_published_gain_and_none_without_tails_and_costs():
    found = expected(Conditions())
    assert found.async_over_sync > 2.9
    even = Latencies(decision=Delay(1.0), page=Delay(0.3), stragglers=0.0, shortest=6, longest=6, mean_length=6)
    costless = Conditions(browsers=64, latencies=even, train_seconds=0, restart_seconds=0, refresh_seconds=0)
    found = expected(costless)
    assert found.async_over_sync == pytest.approx(1.0, abs=0.02)
    assert found.synchronous == pytest.approx(6 * 1.3, rel=0.01)


def test_idle_shares_of_updates_are_weighed_with_their_seconds(monkeypatch: pytest.MonkeyPatch):
    now = 0.0
    monkeypatch.setattr("time.monotonic", lambda: now)
    browser = Meter(2, clock=lambda: now)
    log = Log(browser, Meter(1, clock=lambda: now), Meter(1, clock=lambda: now), 1, lambda _: None)
    log.tell(entry(1, lag=0, seconds={}))
    with browser.one():
        now = 10.0
        log.tell(entry(2, lag=0, seconds={}))
    now = 40.0
    log.tell(entry(3, lag=0, seconds={}))
    assert log.idle["browser"] == pytest.approx((0.5 * 10 + 1.0 * 30) / 40)


class Heard:
    """In the place of the channel to whoever asks: notes when answers came."""

    received = sent = 0

    def __init__(self):
        self.at = {}

    def send(self, answer):
        self.at[type(answer).__name__, answer.number] = anyio.current_time()


@pytest.mark.anyio
async def test_no_reply_ends_while_weights_are_exchanged_and_none_pays_for_more_than_it_missed(tmp_path: Path):
    waits = Latencies(decision=Delay(0.2, 0.0), stragglers=0.0)
    write(tmp_path, pace_of(Conditions(latencies=waits, refresh_seconds=0.6, scale=1.0)))
    heard = Heard()
    start = wire.EngineStart(EngineSettings(slots=4), PolicyVersion(0, str(tmp_path)))
    engine = PacedEngine(heard, start)
    prompt = prompt_for(1, Capture(Observation(1, "http://bench.localhost/3/0", "Page"), {}))
    began = anyio.current_time()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(engine._do, wire.SampleOrder(1, prompt, SamplingParams(), 0))
        await anyio.sleep(0.1)
        tasks.start_soon(engine._do, wire.Refresh(2, PolicyVersion(1, str(tmp_path))))
        await anyio.sleep(0.4)
        tasks.start_soon(engine._do, wire.SampleOrder(3, prompt, SamplingParams(), 0))
    took = {number: at - began for (_, number), at in heard.at.items()}
    assert 0.69 < took[2] < 1.0
    # Half of its 0.2 s was left when the exchange began, at 0.1 s.
    assert 0.79 < took[1] < 1.1
    # All of it, for the one that came at 0.5 s.
    assert 0.89 < took[3] < 1.2
