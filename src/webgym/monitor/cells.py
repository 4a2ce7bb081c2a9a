"""The bounded grid of attempts: the one that ended first makes room for a new one."""

from __future__ import annotations

import collections
from collections.abc import Iterator
from dataclasses import dataclass, field

from webgym.monitor.history import Past
from webgym.monitor.states import WAITING
from webgym.monitor.wire import CellName

NO_SLOT = -1


@dataclass(slots=True)
class Cell:
    """An attempt on the board. Times are in seconds since the start of the board."""

    attempt: str
    submitted: float
    task: str = ""
    site: str = ""
    level: str = ""
    group: str = ""
    instruction: str = ""
    slot: int = NO_SLOT
    state: int = WAITING
    step: int = 0
    tries: int = 0
    since: float = 0.0
    """When it entered its state."""
    began: float | None = None
    seated: int = 0
    """Board version in which it got its slot or its name."""
    screenshot: str = ""
    detail: str = ""
    last_error: str = ""
    past: Past = field(default_factory=Past)

    def named(self) -> CellName:
        return CellName(self.slot, self.attempt, self.task, self.site, self.level, self.group)

    def numbers(self) -> tuple[int, int, int, int, int, int]:
        """Return the values of `CELL_FIELDS`. Before it begins, its submission time is used."""
        began = self.submitted if self.began is None else self.began
        return self.slot, self.state, self.step, self.tries, round(self.since * 10), round(began * 10)


class CellGrid:
    """Cells by slot, and the order of their last changes."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._cells: list[Cell] = []
        self._ended: collections.deque[Cell] = collections.deque()
        self._changed: collections.OrderedDict[int, int] = collections.OrderedDict()
        """Version of the last change of each slot, oldest first."""

    def __len__(self) -> int:
        return len(self._cells)

    def __iter__(self) -> Iterator[Cell]:
        return iter(self._cells)

    def seat(self, cell: Cell) -> Cell | None:
        """Give a cell a slot, and return the evicted cell, if any. It gets none if all others are still open."""
        if len(self._cells) < self._most:
            cell.slot = len(self._cells)
            self._cells.append(cell)
            return None
        if not self._ended:
            return None
        gone = self._ended.popleft()
        cell.slot, gone.slot = gone.slot, NO_SLOT
        self._cells[cell.slot] = cell
        return gone

    def touch(self, cell: Cell, version: int) -> None:
        """Mark a cell as changed in this version."""
        self._changed[cell.slot] = version
        self._changed.move_to_end(cell.slot)

    def end(self, cell: Cell) -> None:
        """Mark a cell as ended, so that it may be evicted."""
        self._ended.append(cell)

    def changed_since(self, version: int) -> list[Cell]:
        """Return the cells that changed after this version, in time proportional to their number."""
        changed: list[Cell] = []
        for slot in reversed(self._changed):
            if self._changed[slot] <= version:
                break
            changed.append(self._cells[slot])
        return changed
