"""Looking things up in tables: results, prices, forecasts, codes, plans."""

from __future__ import annotations

import re
from typing import Any

from webgym_hermetic.answers import says_text
from webgym_hermetic.families.news.details import Detail, said, says, wrong
from webgym_hermetic.families.news.goals.ways import go, link, split
from webgym_hermetic.families.news.records import Board, Line, World
from webgym_hermetic.goal import End, Fact, Goal
from webgym_hermetic.view import Intent, View

_NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?")


class TellBoard(Goal, frozen=True):
    """One cell of a table."""

    board: str
    group: str
    row: str
    """The label of the line."""
    column: int
    claim: str = ""

    def detail(self, world: World) -> Detail:
        board = world.board(self.board)
        line = line_of(board, self.group, self.row)
        column, cell = board.columns[self.column], line.cells[self.column]
        ask = column.ask.format(row=line.label, group=group_title(board, self.group))
        if column.number:
            return Detail("cell", ask, f"{number_in(cell):g}", "number", cell, self._number_rivals(board, cell))
        if self.board == "releases" and self.column == 1:
            released = {one.name: one.date for one in world.releases}
            return Detail("cell", ask, released[self.row], "date", cell)
        return Detail("cell", ask, cell, "text", cell, self._text_rivals(board, cell))

    def facts(self, world: Any) -> tuple[Fact, ...]:
        one = self.detail(world)
        return (Fact("cell", f"The answer states {one.ask}: {one.shown}."),)

    def holds(self, fact: str, end: End) -> bool:
        del fact
        return says(end.answer, self.detail(end.world))

    def next(self, view: View) -> Intent | None:
        return go_board(view, self.board, self.group)

    def spoil(self, fact: str, world: Any) -> Goal:
        del fact
        return TellBoard(self.board, self.group, self.row, self.column, wrong(self.detail(world)))

    def clauses(self, world: Any) -> tuple[str, ...]:
        ask, title = self.detail(world).ask, board_title(world, self.board)
        return (
            f"find out {ask} (see \u201c{title}\u201d)",
            f"open \u201c{title}\u201d and tell me {ask}",
            f"look at the {title} page and report {ask}",
            f"tell me {ask}; it is on the {title} page",
        )

    def answer(self, world: Any) -> str:
        one = self.detail(world)
        return f"{said(one, self.claim or one.value)}."

    def _number_rivals(self, board: Board, cell: str) -> tuple[str, ...]:
        """The same cell in the other groups."""
        others = [one for one in board.lines if one.label == self.row and one.group != self.group]
        values = {f"{number_in(one.cells[self.column]):g}" for one in others}
        return tuple(sorted(values - {f"{number_in(cell):g}"}))

    def _text_rivals(self, board: Board, cell: str) -> tuple[str, ...]:
        values = {one.cells[self.column] for one in board.lines if one.group == self.group}
        return tuple(sorted(values - {cell}))


class CompareBoard(Goal, frozen=True):
    """Which of two lines of a table has more of something."""

    board: str
    group: str
    rows: tuple[str, str]
    column: int
    claim: str = ""

    def winner(self, world: World) -> str:
        board = world.board(self.board)
        return max(self.rows, key=lambda row: number_in(line_of(board, self.group, row).cells[self.column]))

    def loser(self, world: World) -> str:
        winner = self.winner(world)
        return next(row for row in self.rows if row != winner)

    def facts(self, world: Any) -> tuple[Fact, ...]:
        return (Fact("winner", f"The answer says which of the two {self._what(world)}: {self.winner(world)}."),)

    def holds(self, fact: str, end: End) -> bool:
        del fact
        return says_text(end.answer, self.winner(end.world), rivals=(self.loser(end.world),))

    def next(self, view: View) -> Intent | None:
        return go_board(view, self.board, self.group)

    def spoil(self, fact: str, world: Any) -> Goal:
        del fact
        return CompareBoard(self.board, self.group, self.rows, self.column, self.loser(world))

    def clauses(self, world: Any) -> tuple[str, ...]:
        what, title = self._what(world), board_title(world, self.board)
        one, other = self.rows
        return (
            f"find out which {what}: {one} or {other} (see \u201c{title}\u201d)",
            f"open \u201c{title}\u201d, compare {one} and {other}, and tell me which {what}",
            f"tell me which of the two {what}, {one} or {other}; look at the {title} page",
            f"compare {one} with {other} on the {title} page and name the one that {what}",
        )

    def answer(self, world: Any) -> str:
        return f"{self.claim or self.winner(world)}."

    def _what(self, world: World) -> str:
        board = world.board(self.board)
        return board.columns[self.column].compare.format(group=group_title(board, self.group))


def go_board(view: View, name: str, group: str) -> Intent | None:
    """Towards a table, showing the right group; None once it was seen."""
    world: World = view.world
    board = world.board(name)
    if saw_board(board, view.visits, group):
        return None
    if group != board.groups[0][0] and (tap := link(view, f"{board.path}?group={group}")):
        return tap
    return go(view, board.path)


def saw_board(board: Board, visits: tuple[str, ...], group: str) -> bool:
    first = board.groups[0][0]
    return any(path == board.path and query.get("group", first) == group for path, query in map(split, visits))


def board_title(world: World, name: str) -> str:
    return world.labels.plans if name == "plans" else world.board(name).title


def line_of(board: Board, group: str, row: str) -> Line:
    return next(one for one in board.lines if one.group == group and one.label == row)


def group_title(board: Board, group: str) -> str:
    return dict(board.groups)[group]


def number_in(cell: str) -> float:
    """The number that a cell shows."""
    found = _NUMBER.search(cell)
    return float(found[0].replace(",", "")) if found else 0.0
