"""Keeps AReaL's rollouts going while it trains, and hands it nothing that is too old.

AReaL puts new groups into its queue only while the trainer waits for a batch. If the batch was there at once, nothing
runs during the update. And it counts groups to bound how old they get, but looks at none of them again: a long attempt
may be older than that when it is used. Here a thread of its own fills the queue, whatever the trainer does, and the age
of a group is checked when it is handed out.

Who waits for whom: the thread waits for room in the queue, for a fraction of a second at a time; the trainer waits for
results, and gives up with what is known when none came for `patience` seconds.
"""

from __future__ import annotations

import collections
import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Protocol

from webgym.errors import TrainingError
from webgym.interop.areal.tensors import OLDEST

logger = logging.getLogger(__name__)

_POLL_SECONDS = 0.2


class Manager(Protocol):
    """What we need of AReaL's `StalenessManager`."""

    lock: Any
    rollout_stat: Any

    def get_stats(self) -> Any:
        """Groups that wait, run, were accepted and rejected."""
        ...

    def get_pending_limit(self) -> int:
        """How many may wait."""
        ...


class Rollout(Protocol):
    """What we need of AReaL's `RolloutController`, or of an inference engine of one process."""

    def submit(self, data: dict[str, Any], workflow: Any, workflow_kwargs: dict[str, Any] | None = None) -> int:
        """Put a group into the queue."""
        ...

    def wait(self, count: int, timeout: float | None = None, raise_timeout: bool = True) -> list[dict[str, Any] | None]:
        """The oldest results; None for a group that was rejected."""
        ...

    def get_version(self) -> int:
        """Of the weights."""
        ...


class Feeder:
    """Fills the queue of one rollout engine, and takes batches out.

    Args:
        rollout: AReaL's.
        manager: Its own count of groups.
        max_lag: Updates that the oldest token of a group may be behind.
        refill: For one batch at most this many times its groups are taken out, rejected ones included: a policy that
            always succeeds or always fails, or browsers that never come up, must not sample for ever.
        patience: Seconds without any result, after which something must be wrong.
        dropped: Told of what was taken out and is not used, to free what AReaL keeps of it.
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
        """Of the groups of the last batch."""
        self.stale = 0
        """Groups that were dropped for their age, since the start."""

    def batch(
        self, loader: Iterable[list[dict[str, Any]]], size: int, workflow: Any, kwargs: dict[str, Any] | None = None
    ) -> list[dict[str, Any]]:
        """So many groups, none of them too old.

        Raises:
            TrainingError: Too many were rejected, or none came for too long.
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
        # What the thread may need until the next batch is asked for.
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
        """Take tasks from the loader, here and nowhere else: AReaL saves its state from this thread."""
        assert self._items is not None  # noqa: S101 (set by `_start`)
        while len(self._ready) < 2 * self._manager.get_pending_limit():
            self._ready.append(next(self._items))

    def _next(self) -> dict[str, Any] | None:
        """The oldest group that is over; None if it was rejected."""
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
        except Exception as error:  # told to whoever waits for a batch
            logger.exception("the queue of rollouts is not filled any more")
            self._trouble = error

    def _check(self, came: float) -> None:
        if self._trouble is not None:
            raise TrainingError(f"groups cannot be put into AReaL's queue: {self._trouble}") from self._trouble
        if time.monotonic() - came > self._patience:
            raise TrainingError(
                f"no group came for {self._patience:.0f} s: {self._manager.get_stats()}, version "
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
        # AReaL has counted it as accepted, and would never let another begin in its place.
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
