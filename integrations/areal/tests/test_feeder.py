"""The feeder: the queue is full while the trainer is busy, and nothing too old is handed out."""

from __future__ import annotations

import collections
import threading
import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from webgym.errors import TrainingError
from webgym_areal.feeder import Feeder
from webgym_areal.tensors import OLDEST

LOADER = [[{"task": 1}, {"task": 2}], [{"task": 3}]]


@dataclass
class Counts:
    enqueued: int = 0
    running: int = 0
    accepted: int = 0
    rejected: int = 0


@dataclass
class FakeManager:
    limit: int = 4
    lock: Any = field(default_factory=threading.Lock)
    rollout_stat: Counts = field(default_factory=Counts)

    def get_stats(self) -> Counts:
        return self.rollout_stat

    def get_pending_limit(self) -> int:
        return self.limit


class FakeRollout:
    """Groups are over when the test says so."""

    def __init__(self) -> None:
        self.manager = FakeManager()
        self.version = 0
        self.submitted: list[dict[str, Any]] = []
        self.over: collections.deque[dict[str, Any] | None] = collections.deque()
        self.fails = False

    def submit(self, data, workflow, workflow_kwargs=None) -> int:
        if self.fails:
            raise RuntimeError("the workers are gone")
        self.submitted.append(data)
        self.manager.rollout_stat.enqueued += 1
        return len(self.submitted)

    def wait(self, count, timeout=None, raise_timeout=True):
        if not self.over:
            threading.Event().wait(min(timeout or 0.0, 0.01))
            return []
        return [self.over.popleft()]

    def get_version(self) -> int:
        return self.version

    def finish(self, oldest: int | None) -> None:
        self.manager.rollout_stat.accepted += oldest is not None
        self.over.append(None if oldest is None else {OLDEST: oldest, "rows": 1})


def eventually(true, seconds: float = 20.0) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "not in time"
        threading.Event().wait(0.01)


def feeder(rollout: FakeRollout, **options) -> Feeder:
    return Feeder(rollout, rollout.manager, **{"max_lag": 2, "patience": 30.0, **options})


def test_the_queue_is_refilled_while_nobody_asks_for_a_batch():
    rollout = FakeRollout()
    feeding = feeder(rollout)
    rollout.finish(0)
    assert feeding.batch(LOADER, 1, "flow") == [{"rows": 1}]
    eventually(lambda: len(rollout.submitted) == 4)
    # The trainer is busy now; groups begin, and others take their places.
    rollout.manager.rollout_stat.enqueued = 0
    eventually(lambda: len(rollout.submitted) == 8)
    assert [one["task"] for one in rollout.submitted] == [1, 2, 3, 1, 2, 3, 1, 2]
    feeding.close()


def test_a_group_that_is_too_old_is_dropped_and_makes_room_for_another():
    rollout = FakeRollout()
    rollout.version = 5
    dropped: list[dict[str, Any]] = []
    feeding = feeder(rollout, dropped=dropped.append)
    for oldest in (2, 3, 4):
        rollout.finish(oldest)
    assert len(feeding.batch(LOADER, 2, "flow")) == 2
    assert feeding.lags == [2, 1]
    assert feeding.stale == 1
    assert dropped == [{"rows": 1}]
    assert (rollout.manager.rollout_stat.accepted, rollout.manager.rollout_stat.rejected) == (2, 1)
    feeding.close()


def test_nothing_beyond_the_bound_is_ever_handed_out():
    import random

    rollout, chance = FakeRollout(), random.Random(7)
    feeding = feeder(rollout, max_lag=1, refill=1000.0)
    handed: list[int] = []
    for version in range(30):
        rollout.version = version
        for _ in range(20):
            rollout.finish(max(0, version - chance.randrange(5)))
        feeding.batch(LOADER, 3, "flow")
        handed += feeding.lags
    assert len(handed) == 90
    assert max(handed) == 1
    feeding.close()


def test_rejected_groups_are_replaced_until_refill_is_used_up():
    rollout = FakeRollout()
    feeding = feeder(rollout, refill=2.0)
    for oldest in (None, None, 0, 0):
        rollout.finish(oldest)
    assert len(feeding.batch(LOADER, 2, "flow")) == 2
    for _ in range(3):
        rollout.finish(None)
    with pytest.raises(TrainingError, match="3 of 3 groups gave nothing to learn from, for a batch of 2"):
        feeding.batch(LOADER, 2, "flow")
    feeding.close()


def test_a_wait_without_results_ends_and_says_what_is_known():
    rollout = FakeRollout()
    feeding = feeder(rollout, patience=0.3)
    with pytest.raises(TrainingError, match=r"no group arrived for 0 s: Counts\(enqueued=4"):
        feeding.batch(LOADER, 1, "flow")
    feeding.close()


def test_trouble_of_the_thread_is_told_to_who_waits():
    rollout = FakeRollout()
    rollout.fails = True
    feeding = feeder(rollout)
    with pytest.raises(TrainingError, match="the workers are gone"):
        feeding.batch(LOADER, 1, "flow")
    feeding.close()


def test_an_empty_dataset_is_refused():
    with pytest.raises(TrainingError, match="the dataset is empty"):
        feeder(FakeRollout()).batch([], 1, "flow")
