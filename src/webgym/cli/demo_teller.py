"""Terminal output of the demo: progress and result."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.table import Table

    from webgym.pipeline.demo.budget import Budget
    from webgym.pipeline.demo.outcome import Course, Outcome
    from webgym.records.curve import Iteration, Rate
    from webgym.records.event import Event
    from webgym.rollout.pool import Finished
    from webgym.serving.page_server import ServedPage

_SHOWS = {
    "monitor": "attempts while they run",
    "curves": "learning curves",
    "viewer": "what nano saw and did, step by step",
}


class DemoTeller:
    """Prints the progress of a demo: a line for each finished stage, and a live status line."""

    def __init__(self, console: Console, budget: Budget, folder: Path, *, stays: bool) -> None:
        from rich.status import Status

        self._console = console
        self._budget = budget
        self._folder = folder
        self._stays = stays
        self._status = Status("", console=console)
        self._doing = ""
        self._solved = 0
        self._over = 0
        self._planned = 0

    def __enter__(self) -> Self:
        self._status.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._status.stop()

    def welcome(self, minutes: float) -> None:
        """Print what is about to happen."""
        self._console.print(
            "[bold]WebGym demo[/]: nano, a tiny policy, is tested on websites it has never seen, learns on others, "
            f"and is tested again.\nAbout {minutes:g} minutes on this machine; nothing leaves it. Ctrl-C stops it and "
            "keeps the results so far."
        )
        self._console.print(f"output folder: {self._folder}/", markup=False)
        self._begin("starting the trainer, the engine, websites and browsers")

    def opened(self, pages: Sequence[ServedPage]) -> None:
        """Print the pages that are now served."""
        for page in pages:
            self._page(page.name, page.url)
        for page in pages:
            if page.tunnel:
                self._console.print(
                    f"  to open {page.name} from your own machine, run there: {page.tunnel}", markup=False
                )

    def say(self, line: str) -> None:
        """Print a line from training."""
        name, _, url = line.partition(" ")
        if name in _SHOWS:
            self._page(name, url)
        else:
            self._console.print(f"  {line}", markup=False)

    def happened(self, event: Event) -> None:
        """Count finished attempts."""
        from webgym.records.event import AttemptEnded

        match event:
            case AttemptEnded(outcome=outcome):
                self._over += 1
                self._solved += outcome == "success"
            case _:
                pass
        self._show()

    def evaluating(self, iteration: int, planned: int, finished: Finished | None) -> None:
        """Show that an evaluation begins or continues."""
        if finished is None and not (self._doing and self._planned and planned > self._planned):
            self._begin("after: the same tasks again" if iteration else "before: tasks on unseen websites")
        self._planned = planned
        self._show()

    def ended(self, iteration: Iteration) -> None:
        """Print the result of an iteration."""
        tests = iteration.evaluation
        if iteration.train is not None:
            self._console.print(f"  {_learned(iteration)}", markup=False)
        if tests is not None:
            when = "after" if iteration.iteration else "before"
            graded = tests.success.attempts
            lost = f", {tests.tasks - graded} more not graded (infrastructure errors)" if tests.tasks > graded else ""
            self._console.print(
                f"[bold]{when}[/]: {told(tests.success)} on {graded} tasks of {tests.sites} unseen websites{lost}"
            )
        for warning in iteration.warnings:
            self._console.print(f"  warning: {warning}", markup=False)
        if iteration.iteration == 0:
            self._console.print("[bold]learning[/]: rounds of attempts on training websites, each with an update")
        over = tests is not None and iteration.iteration > 0
        self._begin("writing the report" if over else f"learning, round {iteration.iteration + 1}")

    def concluded(self, outcome: Outcome, *, stopped: bool) -> None:
        """Print the result of the demo."""
        self._status.stop()
        if outcome.course is not None and outcome.compared is not None:
            self._console.print(before_and_after(outcome))
            self._console.print(_difference(outcome))
        if outcome.report is not None:
            self._console.print(f"report: {outcome.report}", markup=False)
        self._console.print(
            f"attempts: webgym view {self._folder}   "
            f"to continue training without a time limit: webgym train --resume {self._folder}",
            markup=False,
        )
        if self._stays and not stopped:
            self._console.print("curves and viewer keep running; Ctrl-C stops them")

    def _begin(self, doing: str) -> None:
        self._doing, self._solved, self._over, self._planned = doing, 0, 0, 0
        self._show()

    def _show(self) -> None:
        parts = [self._doing]
        if self._over:
            of = f" of {self._planned}" if self._planned else ""
            parts.append(f"{self._over}{of} attempts finished, {self._solved} solved")
        self._status.update("   ".join([*parts, f"[dim]{_clock(self._budget.left)} left[/]"]))

    def _page(self, name: str, url: str) -> None:
        self._console.print(f"  {name:<8} {url}   [dim]{_SHOWS[name]}[/]")


def told(rate: Rate) -> str:
    """Format a success rate with its interval."""
    return f"{rate.rate:.1%} solved (95 % interval {rate.low:.1%} to {rate.high:.1%})"


def before_and_after(outcome: Outcome) -> Table:
    """Return a table of success before and after: of this run, and of a full-length one."""
    from rich.table import Table

    table = Table("unseen websites", "before", "after", "tasks", "learned from", box=None, padding=(0, 2, 0, 0))
    if outcome.course is not None:
        table.add_row("[bold]this run[/]", *_cells(outcome.course))
    if outcome.full is not None:
        table.add_row("at full length", *_cells(outcome.full))
    return table


def _cells(course: Course) -> tuple[str, str, str, str]:
    after = _cell(course.after) if course.after is not None else "-"
    return _cell(course.before), after, str(course.before.attempts), f"{course.episodes:,} attempts"


def _cell(rate: Rate) -> str:
    return f"{rate.rate:.1%} ({rate.low * 100:.0f} to {rate.high * 100:.0f})"


def _difference(outcome: Outcome) -> str:
    compared = outcome.compared
    if compared is None:
        return ""
    found = compared.difference
    verdict = "chance alone explains that" if found.low <= 0 <= found.high else "more than chance alone explains"
    return (
        f"this run changed success by {found.estimate:+.1%} (95 % interval {found.low:+.1%} to {found.high:+.1%}, "
        f"paired over {compared.tasks} tasks): {verdict}"
    )


def _learned(iteration: Iteration) -> str:
    tried, update = iteration.train, iteration.learned
    if tried is None:
        return ""
    rate = tried.success
    what = f"learned from {update.rows} steps" if update is not None else "no update: equal rewards in every group"
    seconds = sum(value for name, value in iteration.seconds.items() if name != "evaluate")
    return f"round {iteration.iteration}: {rate.successes} of {rate.attempts} solved, {what}, {seconds:.0f} s"


def _clock(seconds: float) -> str:
    whole = max(0, round(seconds))
    return f"{whole // 60}:{whole % 60:02d}"
