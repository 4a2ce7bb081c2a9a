"""A client-side copy of a board, built from its updates."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

from webgym.monitor import states
from webgym.monitor.wire import CELL_FIELDS, BoardTotals, CellName, Update


@dataclass(frozen=True, slots=True)
class MirrorCell:
    """A cell. Times are in seconds since the start of the board."""

    name: CellName
    state: int
    step: int
    tries: int
    since: float
    began: float


@dataclass(slots=True)
class Mirror:
    """A copy of a board that is kept current by updates."""

    epoch: str = ""
    version: int = 0
    elapsed: float = 0.0
    over: bool = False
    totals: BoardTotals | None = None
    names: dict[int, CellName] = field(default_factory=dict[int, CellName])
    numbers: dict[int, tuple[int, ...]] = field(default_factory=dict[int, tuple[int, ...]])

    def apply(self, update: Update) -> None:
        """Apply an update; a full one replaces everything."""
        if update.since == 0:
            self.names.clear()
            self.numbers.clear()
        self.epoch, self.version, self.elapsed = update.epoch, update.version, update.elapsed
        self.over, self.totals = update.over, update.totals
        for named in update.named:
            self.names[named.slot] = named
        size = len(CELL_FIELDS)
        for start in range(0, len(update.cells), size):
            slot, *numbers = update.cells[start : start + size]
            self.numbers[slot] = tuple(numbers)

    def cells(self) -> Iterator[MirrorCell]:
        """Yield all cells, by slot."""
        for slot in sorted(self.numbers):
            state, step, tries, since, began = self.numbers[slot]
            yield MirrorCell(self.names[slot], state, step, tries, since / 10, began / 10)

    def slowest(self, most: int) -> list[MirrorCell]:
        """Return the running attempts that began first."""
        under_way = (seen for seen in self.cells() if states.WAITING < seen.state < states.FIRST_ENDED)
        return list(itertools.islice(sorted(under_way, key=lambda seen: seen.began), most))
