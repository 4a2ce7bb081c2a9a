"""Reading runs, finished or still being written."""

from __future__ import annotations

import contextlib
import importlib
import sqlite3
import threading
import weakref
import zlib
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import msgspec

from webgym.errors import ConfigError, StoreError
from webgym.records.base import Record
from webgym.records.curve import Rate
from webgym.records.trajectory import OUTCOME_KINDS, Attempt, Ending, OutcomeKind, Step, Trajectory
from webgym.store.checksums import check
from webgym.store.encoding import load_attempt, load_ending, unsqueeze
from webgym.store.images import read_image
from webgym.store.lock import is_live
from webgym.store.meta import META_FILE, RunKind, load_meta
from webgym.store.packs import PackLocation, pack_path
from webgym.store.rates import success
from webgym.store.read_rows import read_rows
from webgym.store.rows import Row
from webgym.store.schema import DATABASE_FILE, has_checksums, open_to_read
from webgym.store.steps import load_steps

RUNS = Path("runs")
"""Default folder of runs."""
_AT_ONCE = 500
"""Maximum number of values in one query."""


class RunSummary(Record, frozen=True, omit_defaults=False):
    """Summary of a run."""

    name: str
    path: str
    created: float
    kind: RunKind
    attempts: int
    outcomes: dict[OutcomeKind, int]
    success_over_all: Rate
    """Over every finished attempt."""
    success_over_graded: Rate
    """Over attempts with a reward: without those blocked, lost to infrastructure and the like."""
    blocked_rate: float
    size_bytes: int
    live: bool
    """Whether the run is being written."""


class Run:
    """A run opened for reading. Thread-safe. Each call sees what has been committed by then."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.meta = load_meta(path)
        self.name = self.meta.name
        self._connection = open_to_read(path)
        weakref.finalize(self, self._connection.close)  # for who keeps many runs, and cannot tell who still reads one
        self._lock = threading.RLock()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Run({str(self.path)!r})"

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    @property
    def live(self) -> bool:
        """Whether the run is being written."""
        return is_live(self.path)

    @property
    def attempts(self) -> int:
        """Number of attempts begun."""
        return self._all("SELECT count(*) FROM attempts")[0][0]

    def rows(self) -> list[Row]:
        """Return one row per attempt, in the order in which they began."""
        with self._reading():
            return read_rows(self._connection)

    def outcomes(self) -> dict[OutcomeKind, int]:
        """Return the number of finished attempts by outcome."""
        found = self._all("SELECT outcome, count(*) FROM attempts WHERE outcome IS NOT NULL GROUP BY outcome")
        counts: dict[OutcomeKind, int] = dict(found)
        return {kind: counts.get(kind, 0) for kind in OUTCOME_KINDS}

    def ends(self) -> dict[tuple[str, OutcomeKind], int]:
        """Return the number of finished attempts by task and outcome."""
        query = "SELECT task_id, outcome, count(*) FROM attempts WHERE outcome IS NOT NULL GROUP BY task_id, outcome"
        return {(task, outcome): count for task, outcome, count in self._all(query)}

    def attempt(self, attempt_id: str) -> Attempt:
        """Return the attempt as planned: its task, group and seed.

        Raises:
            StoreError: There is no such attempt in this run.
        """
        with self._reading():
            return load_attempt(self._record(attempt_id, "attempt") or b"")

    def steps(self, attempt_id: str) -> tuple[Step, ...]:
        """Return the steps of an attempt so far."""
        with self._reading():
            self._record(attempt_id, "attempt")
            return load_steps(self._connection, attempt_id)

    def ending(self, attempt_id: str) -> Ending | None:
        """Return how the attempt ended; None if it has not ended."""
        with self._reading():
            body = self._record(attempt_id, "ending")
            return None if body is None else load_ending(body)

    def trajectory(self, attempt_id: str) -> Trajectory:
        """Return a finished attempt with its steps.

        Raises:
            StoreError: There is no such attempt, or it has not ended.
        """
        with self._lock:
            ending = self.ending(attempt_id)
            if ending is None:
                raise StoreError(f"attempt {attempt_id} is not over")
            return Trajectory(self.attempt(attempt_id), self.steps(attempt_id), ending)

    def trajectories(self) -> Iterator[Trajectory]:
        """Yield all finished attempts, loaded one at a time."""
        query = "SELECT attempt_id FROM attempts WHERE outcome IS NOT NULL ORDER BY number"
        for (attempt_id,) in self._all(query):
            yield self.trajectory(attempt_id)

    def blob(self, address: str) -> bytes:
        """Return the bytes at an address: a screenshot, a download.

        Raises:
            BlobGone: The blob was stored, but is gone.
            StoreError: The blob was never stored, or cannot be read.
        """
        with self._reading():
            return read_image(self._connection, self.path, address)

    def lacking(self, addresses: Iterable[str]) -> frozenset[str]:
        """Return those of the addresses whose bytes are not stored: dropped, lost, or never stored."""
        wanted = list(dict.fromkeys(addresses))
        there: set[str] = set()
        for first in range(0, len(wanted), _AT_ONCE):
            some = wanted[first : first + _AT_ONCE]
            places = ", ".join("?" * len(some))
            query = f"SELECT address FROM images WHERE pack IS NOT NULL AND address IN ({places})"  # noqa: S608
            there.update(address for (address,) in self._all(query, *some))
        return frozenset(wanted) - there

    def lost_pictures(self) -> int:
        """Return how many pictures are gone that were not dropped on purpose: their files are missing or damaged."""
        lost = self._all("SELECT count(*) FROM images WHERE gone = 'damaged'")[0][0]
        places = [
            PackLocation(*row) for row in self._all("SELECT pack, offset, length FROM images WHERE pack IS NOT NULL")
        ]
        sizes = {pack: _size_of(pack_path(self.path, pack)) for pack in {place.pack for place in places}}
        return lost + sum(place.end > sizes[place.pack] for place in places)

    def frame(self) -> Any:
        """Return the rows as a pandas `DataFrame`, indexed by attempt id.

        Raises:
            ConfigError: pandas is not installed.
        """
        try:
            pandas: Any = importlib.import_module("pandas")
        except ModuleNotFoundError:
            raise ConfigError("a data frame needs pandas: pip install pandas") from None
        names = Row.__struct_fields__
        rows = [tuple(getattr(row, name) for name in names) for row in self.rows()]
        return pandas.DataFrame(rows, columns=list(names)).set_index("attempt_id")

    def _record(self, attempt_id: str, which: Literal["attempt", "ending"]) -> bytes | None:
        kept = f"{which}_checksum" if has_checksums(self._connection) else "NULL"
        query = (
            f"SELECT number, {which}, {kept} FROM records"  # noqa: S608 - one of two names
            " WHERE number = (SELECT number FROM attempts WHERE attempt_id = ?)"
        )
        found = self._all(query, attempt_id)
        if not found:
            raise StoreError(f"there is no attempt {attempt_id!r} in run {self.name}")
        number, body, expected = found[0]
        if body is None:
            return None
        check((number, body), expected, f"the {which} of {attempt_id} in {self.path / DATABASE_FILE}")
        return unsqueeze(body)

    def _all(self, query: str, *values: str) -> list[Any]:
        with self._reading():
            return self._connection.execute(query, values).fetchall()

    @contextlib.contextmanager
    def _reading(self) -> Generator[None]:
        """Serialize access, and raise `StoreError` for damaged data."""
        with self._lock:
            try:
                yield
            except (sqlite3.Error, zlib.error, msgspec.MsgspecError, UnicodeDecodeError, TypeError) as error:
                raise StoreError(f"run {self.path} cannot be read: {error}") from error


def open_run(path: str | Path) -> Run:
    """Open the run in this folder for reading.

    Raises:
        StoreError: There is no run, or this version cannot read it.
    """
    return Run(Path(path))


def locate(run: str | Path, root: str | Path = RUNS) -> Path:
    """Return the folder of a run, given by its path or by its name in `root`.

    Raises:
        StoreError: There is no such run.
    """
    for folder in (Path(run), Path(root) / run):
        if (folder / META_FILE).is_file():
            return folder
    raise StoreError(f"there is no run {str(run)!r}, neither here nor in {root}: see webgym runs list")


def find_runs(root: str | Path) -> list[RunSummary]:
    """Summarize every run in this folder and up to two levels below, newest first. Unreadable runs are skipped."""
    found: list[RunSummary] = []
    root = Path(root)
    for meta in (*root.glob(META_FILE), *root.glob(f"*/{META_FILE}"), *root.glob(f"*/*/{META_FILE}")):
        try:
            found.append(summarise(meta.parent))
        except StoreError:
            continue
    return sorted(found, key=lambda run: -run.created)


def summarise(path: Path) -> RunSummary:
    """Summarize the run in this folder.

    Raises:
        StoreError: There is no run, or this version cannot read it.
    """
    with open_run(path) as run:
        rates = success(run.ends())
        return RunSummary(
            name=run.name,
            path=str(path),
            created=run.meta.created,
            kind=run.meta.kind,
            attempts=run.attempts,
            outcomes=run.outcomes(),
            success_over_all=rates.over_all,
            success_over_graded=rates.over_graded,
            blocked_rate=rates.blocked_rate,
            size_bytes=_size(path),
            live=run.live,
        )


def _size_of(file: Path) -> int:
    return file.stat().st_size if file.is_file() else 0


def _size(folder: Path) -> int:
    """Return the total size of all files in bytes; a live run may delete some meanwhile."""
    total = 0
    for file in folder.rglob("*"):
        with contextlib.suppress(FileNotFoundError):
            total += file.lstat().st_size if file.is_file() else 0
    return total
