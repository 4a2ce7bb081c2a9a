"""Follows a folder of lessons while others write into it.

Shards are `lessons-<pid>-<number>.msgpack`, renamed into place when complete and deleted by their writer when old. One
thread looks for changes, others decode. The queue `changes` is bounded: these threads wait for the learner to take
lessons.
"""

from __future__ import annotations

import logging
import queue
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

import msgspec

from webgym.records.lesson import Lesson
from webgym_nano.learn.segments import Prepared

logger = logging.getLogger(__name__)

PATTERN = "lessons-*.msgpack"
_LOOK_S = 0.5
_WAITING = 8
_shard = msgspec.msgpack.Decoder(list[Lesson])


class Arrived(NamedTuple):
    """A new shard."""

    name: str
    lessons: Prepared


class Gone(NamedTuple):
    """A shard that its writer deleted."""

    name: str


class Scanned(NamedTuple):
    """Everything in the folder at the time of the last scan has been reported."""


class Broken(NamedTuple):
    """The folder is no longer followed, because of an error."""

    error: Exception


Change = Arrived | Gone | Scanned | Broken


class Follower:
    """Reports changes of a folder from its own thread, until stopped."""

    def __init__(self, folder: Path, prepare: Callable[[Sequence[Lesson]], Prepared], readers: int) -> None:
        self.changes: queue.Queue[Change] = queue.Queue(_WAITING)
        self._folder = folder
        self._prepare = prepare
        self._readers = readers
        self._known: set[str] = set()
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lessons", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        """Stop, and wait until the thread has ended."""
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            with ThreadPoolExecutor(self._readers, thread_name_prefix="lessons") as pool:
                while not self._stopping.is_set():
                    self._scan(pool)
                    self._stopping.wait(_LOOK_S)
        except Exception as error:  # noqa: BLE001 - the learner must know, whatever it is
            self._put(Broken(error))

    def _scan(self, pool: ThreadPoolExecutor) -> None:
        found = _listed(self._folder)
        for name in sorted(self._known.difference(found)):
            self._known.discard(name)
            self._put(Gone(name))
        new = [name for name in found if name not in self._known]
        for name, lessons in self._read_all(pool, new):
            self._known.add(name)
            if lessons is not None:
                self._put(Arrived(name, lessons))
        self._put(Scanned())

    def _read_all(self, pool: ThreadPoolExecutor, names: Sequence[str]) -> Iterator[tuple[str, Prepared | None]]:
        """Yield shards in order, decoding a few ahead: images are large."""
        ahead: deque[tuple[str, Future[Prepared | None]]] = deque()
        for name in names:
            if self._stopping.is_set():
                break
            ahead.append((name, pool.submit(self._read, self._folder / name)))
            if len(ahead) > self._readers:
                first, reading = ahead.popleft()
                yield first, reading.result()
        for name, reading in ahead:
            yield name, reading.result()

    def _read(self, path: Path) -> Prepared | None:
        try:
            lessons = _shard.decode(path.read_bytes())
        except FileNotFoundError:
            return None
        except msgspec.MsgspecError as error:
            logger.warning("skipping %s, which cannot be read: %s", path, error)
            return None
        return self._prepare(lessons)

    def _put(self, change: Change) -> None:
        while not self._stopping.is_set():
            try:
                self.changes.put(change, timeout=_LOOK_S)
            except queue.Full:
                continue
            return


def _listed(folder: Path) -> list[str]:
    """Return the names of the shards, oldest first."""
    found: list[tuple[int, str]] = []
    for path in folder.glob(PATTERN):
        try:
            found.append((path.stat().st_mtime_ns, path.name))
        except FileNotFoundError:
            continue
    return [name for _, name in sorted(found)]
