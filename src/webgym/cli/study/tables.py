"""Print a study: its tables with captions, and what it found."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

    from webgym.curves.study_page import StudyTable
    from webgym.study.compare import Study


def print_study(found: Study, console: Console) -> None:
    """Print the tables of a study, then its verdict and its notes."""
    from webgym.study.tables import tables_of
    from webgym.study.verdict import verdict_of

    for table in tables_of(found):
        _print_table(table, console)
    for line in verdict_of(found):
        console.print(line, markup=False, soft_wrap=True)
    for note in found.notes:
        console.print(f"note: {note}", markup=False, soft_wrap=True)  # so that its command can be copied


def _print_table(table: StudyTable, console: Console) -> None:
    from rich import table as rich
    from rich.markup import escape

    console.print(f"[bold]{escape(table.title)}.[/] {escape(table.caption)}")
    shown = rich.Table(*(escape(column.title) for column in table.columns), box=None)
    for row in table.rows:
        shown.add_row(*map(escape, row))
    console.print(shown)
    meanings = [f"{column.title}: {column.meaning}" for column in table.columns if column.title and column.meaning]
    console.print("; ".join(meanings), style="dim", markup=False)
    console.print()
