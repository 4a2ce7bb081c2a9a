"""Terminal progress of a study: a line for each event, and a live table of all runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

    from webgym.study.progress import RunProgress


class StudyProgress:
    """Prints the progress of a study.

    In a terminal it shows a live table; elsewhere it prints a line for every new evaluation.
    """

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

    def on_message(self, line: str) -> None:
        """Print a line."""
        self._console.print(line, markup=False, soft_wrap=True)

    def on_change(self, runs: tuple[RunProgress, ...]) -> None:
        """Show the new progress of the runs."""
        if self._live:
            self._live.update(progress_table(runs))
            return
        for run in runs:
            evaluated = run.evaluated if run.success is not None else (0 if run.before is not None else None)
            if evaluated != self._told.setdefault(run.run, evaluated):
                self._told[run.run] = evaluated
                self.on_message(
                    f"{run.run}: iteration {run.iteration} of {run.iterations}, unseen websites {unseen(run)}"
                )


def progress_table(runs: tuple[RunProgress, ...]) -> Table:
    """Return a table of the runs of a study."""
    from rich.table import Table

    table = Table("arm", "seed", "state", "iteration", "unseen websites", box=None)
    for run in runs:
        table.add_row(run.arm, str(run.seed), run.state, f"{run.iteration} of {run.iterations}", unseen(run))
    return table


def unseen(run: RunProgress) -> str:
    """Format success on unseen websites: before training, and the latest if known."""
    if run.before is None:
        return ""
    return f"{run.before:.1%}" + (f" → {run.success:.1%}" if run.success is not None else "")
