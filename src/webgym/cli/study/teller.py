"""Tells a person how a study goes: a line whenever a run begins or ends, and a table that is kept up to date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from webgym.pipeline.study.progress import RunProgress


class Teller:
    """In a terminal. Elsewhere there is no table, and evaluations get lines of their own."""

    def __init__(self, console: Console) -> None:
        from rich.live import Live

        self._console = console
        self._live = Live(console=console, refresh_per_second=2, transient=True) if console.is_terminal else None
        self._told: dict[str, int | None] = {}

    def __enter__(self) -> Self:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        if self._live:
            self._live.stop()

    def say(self, line: str) -> None:
        """Something worth reading."""
        self._console.print(line, markup=False, soft_wrap=True)

    def changed(self, runs: tuple[RunProgress, ...]) -> None:
        """A run came further."""
        if self._live:
            self._live.update(progress_table(runs))
            return
        for run in runs:
            evaluated = run.evaluated if run.success is not None else (0 if run.before is not None else None)
            if evaluated != self._told.setdefault(run.run, evaluated):
                self._told[run.run] = evaluated
                self.say(f"{run.run}: iteration {run.iteration} of {run.iterations}, unseen websites {unseen(run)}")


def progress_table(runs: tuple[RunProgress, ...]) -> Table:
    """All runs of a study."""
    from rich.table import Table

    table = Table("arm", "seed", "state", "iteration", "unseen websites", box=None)
    for run in runs:
        table.add_row(run.arm, str(run.seed), run.state, f"{run.iteration} of {run.iterations}", unseen(run))
    return table


def unseen(run: RunProgress) -> str:
    """Success before learning, and after it as far as it is known."""
    if run.before is None:
        return ""
    return f"{run.before:.1%}" + (f" → {run.success:.1%}" if run.success is not None else "")
