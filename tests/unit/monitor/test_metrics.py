"""`/metrics` of the monitor, over HTTP, of a short run with fakes."""

from __future__ import annotations

import anyio
import pytest
from prometheus_client.parser import text_string_to_metric_families
from tests.unit.monitor.boards import board_and_clock, end, submit
from tests.unit.monitor.watching import Watched, http, watched

from webgym.errors import ConfigError, PolicyUnavailable
from webgym.monitor.board import Board
from webgym.records import event as events
from webgym.records.action import Answer, Click, Point
from webgym.records.curve import AttemptResults, Flow, Iteration, Lengths, Rate, UpdateSummary
from webgym.records.decision import Decision, Turn
from webgym.records.prompt import Completion
from webgym.rollout.gates import GateLimits, Gates
from webgym.rollout.limits import Limits
from webgym.rollout.play import Tools
from webgym.rollout.pool import open_pool
from webgym.rollout.roll import roll
from webgym.rollout.run_all import run_all
from webgym.run.config import MonitorConfig
from webgym.run.monitor_token import monitor_token
from webgym.run.training.gauges import training_gauges
from webgym.telemetry.events import EventBus
from webgym.testing.fakes import FakeBrowser
from webgym.testing.rollouts import FakeEpisodes, FakeJudge, MemoryRecorder, fake_attempt

pytestmark = pytest.mark.anyio

Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


async def scraped(seen: Watched) -> Samples:
    async with http(seen) as session, session.get("/metrics") as reply:
        assert reply.status == 200
        assert reply.content_type == "text/plain"
        text = await reply.text()
    families = text_string_to_metric_families(text)
    return {(one.name, frozenset(one.labels.items())): one.value for family in families for one in family.samples}


def value(samples: Samples, name: str, **labels: str) -> float:
    return samples[name, frozenset(labels.items())]


class Talker:
    """Clicks, then answers; says how many tokens that took. The third attempt's model is gone."""

    def __init__(self, attempt) -> None:
        self._lost = attempt.attempt_id == "task-3/0"
        self._actions = iter([Click(Point(5, 5)), Answer("done")])

    async def decide(self, capture) -> Turn:
        await anyio.lowlevel.checkpoint()
        if self._lost:
            raise PolicyUnavailable("gone")
        return Turn(Decision(next(self._actions)), None, Completion("", prompt_tokens=100, sampled_tokens=7))


async def test_a_short_run_is_counted_where_prometheus_reads_it():
    board = Board()
    bus = EventBus(board.apply)
    gates = Gates(bus, GateLimits(infer=(2, 2)))
    tools = Tools(FakeBrowser(), gates, MemoryRecorder(), bus, Limits())
    episodes = FakeEpisodes(Talker, FakeJudge())
    async with watched(board) as seen:
        before = await scraped(seen)
        async with open_pool(lambda attempt: roll(attempt, episodes, tools, tries=1), bus, slots=3) as pool:
            await run_all(pool, [[fake_attempt(number)] for number in (1, 2, 3)], lambda _: None)
        samples = await scraped(seen)
    assert value(before, "webgym_attempts_ended_total", outcome="success") == 0
    assert value(samples, "webgym_attempts_submitted_total") == 3
    assert value(samples, "webgym_attempts_ended_total", outcome="success") == 2
    assert value(samples, "webgym_attempts_ended_total", outcome="infrastructure") == 1
    assert sum(value(samples, "webgym_attempts_open", status=one) for one in ("waiting", "queued", "running")) == 0
    assert value(samples, "webgym_tries_total") == 3
    assert value(samples, "webgym_attempt_seconds_count") == 3
    for operation, count in {"open": 3, "observe": 3, "infer": 5, "act": 2, "judge": 2, "close": 3}.items():
        assert value(samples, "webgym_operation_seconds_count", operation=operation) == count
        assert value(samples, "webgym_operation_queue_seconds_count", operation=operation) == count
        assert value(samples, "webgym_operation_seconds_bucket", operation=operation, le="+Inf") == count
        assert value(samples, "webgym_operations_running", operation=operation) == 0
    assert value(samples, "webgym_operation_errors_total", operation="infer", error=PolicyUnavailable.code) == 1
    assert value(samples, "webgym_operation_limit", operation="infer") == 2
    assert value(samples, "webgym_operation_limit", operation="act") == 128
    assert value(samples, "webgym_steps_decided_total", action="click") == 2
    assert value(samples, "webgym_steps_decided_total", action="answer") == 2
    assert value(samples, "webgym_tokens_total", of="prompt") == 400
    assert value(samples, "webgym_tokens_total", of="sampled") == 28
    assert value(samples, "webgym_events_lost") == 0


async def test_what_is_open_and_what_waits_is_read_when_somebody_asks():
    board, _ = board_and_clock()
    async with watched(board) as seen:
        submit(board, "a", "b", "c")
        board.apply(events.OperationStarted("a", "infer", 1, 0.25))
        board.apply(events.OperationQueued("b", "infer", 1))
        board.lost = 4
        samples = await scraped(seen)
        assert [value(samples, "webgym_attempts_open", status=one) for one in ("waiting", "queued", "running")] == [
            1,
            1,
            1,
        ]
        assert value(samples, "webgym_operations_running", operation="infer") == 1
        assert value(samples, "webgym_operations_queued", operation="infer") == 1
        assert value(samples, "webgym_operation_queue_seconds_sum", operation="infer") == 0.25
        assert value(samples, "webgym_events_lost") == 4
        end(board, "a", "b", "c")
        end(board, "a")  # an attempt ends once
        samples = await scraped(seen)
        assert value(samples, "webgym_attempts_ended_total", outcome="success") == 3


async def test_the_lag_of_the_loop_that_runs_the_attempts_is_among_them():
    async with watched() as seen:
        with anyio.fail_after(20):
            while not value(samples := await scraped(seen), "webgym_event_loop_late_seconds_count"):
                await anyio.sleep(0.05)
    assert value(samples, "webgym_event_loop_lag_seconds") >= 0


@pytest.mark.parametrize("token", ["", "wrong"])
async def test_metrics_are_not_shown_without_the_token(token):
    async with watched() as seen, http(seen, token) as session, session.get("/metrics") as reply:
        assert reply.status == 401


async def test_two_runs_of_one_process_are_counted_apart():
    async with watched(Board()) as one, watched(Board()) as other:
        submit(one.board, "a")
        assert value(await scraped(one), "webgym_attempts_submitted_total") == 1
        assert value(await scraped(other), "webgym_attempts_submitted_total") == 0


async def test_a_token_of_ones_own_outlives_runs(monkeypatch):
    config = MonitorConfig(token_env="SCRAPED_WITH")
    monkeypatch.setenv("SCRAPED_WITH", "a-token-that-outlives-runs")
    async with watched(token=monitor_token(config)) as seen:
        assert seen.notice.token == "a-token-that-outlives-runs"
        await scraped(seen)
    for wrong in ("", "short", "with spaces and; more of it"):
        monkeypatch.setenv("SCRAPED_WITH", wrong)
        with pytest.raises(ConfigError, match="SCRAPED_WITH"):
            monitor_token(config)
    assert monitor_token(MonitorConfig()) == ""


def rate(share: float) -> Rate:
    return Rate(int(share * 10), 10, share, 0.0, 1.0)


def iteration(number: int, version: int, *, trained: float | None, tested: float | None, lag: float) -> Iteration:
    lengths = Lengths(1, 1.0, 1.0)

    def tried(share: float | None) -> AttemptResults | None:
        return None if share is None else AttemptResults(rate(share), {}, {}, lengths, lengths, 1, 1)

    learned = None if trained is None else UpdateSummary(8, 100, 2, 1e-5, {}, {})
    flow = Flow(lag, 2, 0, 0, 0, {}, {})
    return Iteration(number, version, 0.0, tried(trained), learned, tried(tested), {}, 0.0, 0.0, flow=flow)


async def test_training_tells_how_far_it_is_and_how_well_it_does():
    board, done = Board(), []
    training_gauges(board.metrics, lambda: done)
    async with watched(board) as seen:
        samples = await scraped(seen)
        assert value(samples, "webgym_training_iteration") == 0
        assert value(samples, "webgym_training_success_rate") != value(samples, "webgym_training_success_rate")  # NaN
        done.append(iteration(0, 0, trained=None, tested=0.1, lag=0.0))
        done.append(iteration(1, 1, trained=0.3, tested=None, lag=0.5))
        done.append(iteration(2, 2, trained=0.4, tested=None, lag=1.5))
        samples = await scraped(seen)
    told = {name.removeprefix("webgym_training_"): one for (name, _), one in samples.items() if "training" in name}
    assert told == {
        "iteration": 2,
        "policy_version": 2,
        "updates": 2,
        "success_rate": 0.4,
        "unseen_success_rate": 0.1,
        "lag_mean": 1.5,
        "lag_max": 2,
    }
