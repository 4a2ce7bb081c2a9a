"""Keeps AReaL's rollouts running during training, and bounds the staleness of what it trains on.

AReaL enqueues new groups only while the trainer waits for a batch, so if a batch is ready at once, nothing runs during
the update. It also bounds staleness by counting groups when they start, but never checks them again: a long attempt may
exceed the bound by the time it is used. Here a separate thread keeps the queue filled, and the staleness of a group is
checked when it is handed out.

The thread polls for room in the queue. The trainer waits for results, and fails with a diagnosis if none arrives for
`patience` seconds.
"""

from __future__ import annotations

import collections
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from webgym.errors import TrainingError
from webgym_areal.tensors import OLDEST

logger = logging.getLogger(__name__)

_POLL_SECONDS = 0.2


class Manager(Protocol):
    """The part of AReaL's `StalenessManager` that we use."""

    lock: Any
    rollout_stat: Any

    def get_stats(self) -> Any:
        """Return the numbers of enqueued, running, accepted and rejected groups."""
        ...

    def get_pending_limit(self) -> int:
        """Return how many groups may be enqueued."""
        ...


class Rollout(Protocol):
    """The part of AReaL's `RolloutController`, or of a single-process inference engine, that we use."""

    def submit(self, data: dict[str, Any], workflow: Any, workflow_kwargs: dict[str, Any] | None = None) -> int:
        """Enqueue a group."""
        ...

    def wait(self, count: int, timeout: float | None = None, raise_timeout: bool = True) -> list[dict[str, Any] | None]:
        """Return the oldest results; None for a rejected group."""
        ...

    def get_version(self) -> int:
        """Return the version of the weights."""
        ...


class Feeder:
    """Fills the queue of a rollout engine, and takes batches out.

    Args:
        rollout: AReaL's rollout engine.
        manager: AReaL's own accounting of groups.
        max_lag: Most updates that the oldest token of a group may lag behind.
        refill: Most groups taken per batch, as a multiple of its size, rejected ones included. Keeps a policy that
            always succeeds or always fails, or browsers that never start, from sampling for ever.
        patience: Seconds without any result after which training fails.
        dropped: Called with each group that is taken out but not used, to free what AReaL stores of it.
    """

    def __init__(
        self,
        rollout: Rollout,
        manager: Manager,
        *,
        max_lag: int,
        refill: float = 3.0,
        patience: float = 7200.0,
        dropped: Callable[[dict[str, Any]], None] = lambda _trajectory: None,
    ) -> None:
        self._rollout = rollout
        self._manager = manager
        self._max_lag = max_lag
        self._refill = refill
        self._patience = patience
        self._dropped = dropped
        self._items: Iterator[dict[str, Any]] | None = None
        self._ready: collections.deque[dict[str, Any]] = collections.deque()
        self._work: tuple[Any, dict[str, Any] | None] = (None, None)
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._trouble: Exception | None = None
        self.lags: list[int] = []
        """Lags of the groups in the last batch."""
        self.stale = 0
        """Groups dropped as stale since the start."""

    def batch(
        self, loader: Iterable[list[dict[str, Any]]], size: int, workflow: Any, kwargs: dict[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """Return `size` groups, none of them stale.

        Raises:
            TrainingError: Too many groups were rejected, or none arrived for too long.
        """
        self._start(loader, workflow, kwargs)
        self._draw()
        taken: list[dict[str, Any]] = []
        self.lags = []
        lost = 0
        while len(taken) < size:
            fresh = self._fresh(self._next())
            if fresh is not None:
                taken.append(fresh)
                continue
            lost += 1
            if lost > int(self._refill * size) - size:
                raise TrainingError(
                    f"{lost} of {lost + len(taken)} groups gave nothing to learn from, for a batch of {size}: look at "
                    "the outcomes in the rollout workers' runs, or raise refill"
                )
        # Stock up on tasks for the thread until the next batch.
        self._draw()
        return taken

    def close(self) -> None:
        """Stop filling the queue."""
        self._stop.set()
        if self._thread is not None:
            self._thread.join(timeout=10.0)

    def _start(self, loader: Iterable[list[dict[str, Any]]], workflow: Any, kwargs: dict[str, Any] | None) -> None:
        if self._thread is not None:
            return
        self._items = _endless(loader)
        self._work = (workflow, kwargs)
        self._thread = threading.Thread(target=self._fill, name="webgym-areal-feeder", daemon=True)
        self._thread.start()

    def _draw(self) -> None:
        """Take tasks from the loader. Only this thread may do so, since AReaL saves the loader's state from it."""
        assert self._items is not None  # noqa: S101 (set by `_start`)
        while len(self._ready) < 2 * self._manager.get_pending_limit():
            self._ready.append(next(self._items))

    def _next(self) -> dict[str, Any] | None:
        """Return the oldest finished group, or None if it was rejected."""
        came = time.monotonic()
        while not (arrived := self._rollout.wait(1, _POLL_SECONDS, raise_timeout=False)):
            self._check(came)
            self._draw()
        return arrived[0]

    def _fill(self) -> None:
        workflow, kwargs = self._work
        try:
            while not self._stop.is_set():
                room = self._manager.get_pending_limit() - self._manager.get_stats().enqueued
                if room > 0 and self._ready:
                    self._rollout.submit(self._ready.popleft(), workflow=workflow, workflow_kwargs=kwargs)
                else:
                    self._stop.wait(_POLL_SECONDS)
        except Exception as error:  # re-raised to the caller of `batch`
            logger.exception("submitting rollouts to the queue failed and has stopped")
            self._trouble = error

    def _check(self, came: float) -> None:
        if self._trouble is not None:
            raise TrainingError(f"cannot submit groups to AReaL's queue: {self._trouble}") from self._trouble
        if time.monotonic() - came > self._patience:
            raise TrainingError(
                f"no group arrived for {self._patience:.0f} s: {self._manager.get_stats()}, version "
                f"{self._rollout.get_version()}, {len(self._ready)} tasks ready"
            )

    def _fresh(self, trajectory: dict[str, Any] | None) -> dict[str, Any] | None:
        if trajectory is None:
            return None
        lag = self._rollout.get_version() - trajectory.pop(OLDEST)
        if lag <= self._max_lag:
            self.lags.append(lag)
            return trajectory
        self.stale += 1
        # AReaL counted the group as accepted, and would otherwise never start another in its place.
        with self._manager.lock:
            self._manager.rollout_stat.accepted -= 1
            self._manager.rollout_stat.rejected += 1
        self._dropped(trajectory)
        return None


def _endless(loader: Iterable[list[dict[str, Any]]]) -> Iterator[dict[str, Any]]:
    while True:
        empty = True
        for items in loader:
            for item in items:
                empty = False
                yield item
        if empty:
            raise TrainingError("the dataset is empty")
