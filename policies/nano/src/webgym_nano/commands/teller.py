"""Terminal output of the demo: progress and result."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Self

from webgym.cli.silence import SilenceBreaker
from webgym.records.curve import ENOUGH_FOR_A_RATE
from webgym_nano.commands.result import before_and_after, difference_told, told

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console
    from rich.text import Text

    from webgym.records.curve import Iteration
    from webgym.records.event import Event
    from webgym.rollout.pool import FinishedGroup
    from webgym.serving.page_server import ServedPage
    from webgym_nano.demo.budget import Budget
    from webgym_nano.demo.outcome import Outcome

_SHOWS = {
    "monitor": "attempts while they run",
    "curves": "learning curves",
    "viewer": "what nano saw and did, step by step",
}


SILENCE = 25.0
"""Seconds without a line after which a line says what is going on, where there is no status line."""


class DemoTeller:
    """Prints the progress of a demo: a line for each finished stage, and what is going on meanwhile.

    In a terminal that is a status line, elsewhere a line whenever nothing else was printed for a while.
    """

    def __init__(
        self, console: Console, budget: Budget, folder: Path, *, stays: bool, silence: float = SILENCE
    ) -> None:
        from rich.status import Status

        self._console = console
        self._budget = budget
        self._folder = folder
        self._stays = stays
        self._silence = SilenceBreaker(console, silence, self._line)
        # The status line renders this object again and again, so its clock goes on between events.
        self._status = Status(self, console=console)
        self._began = time.monotonic()
        self._doing = ""
        self._learns = False
        self._solved = 0
        self._over = 0
        self._planned = 0
        self._trained = 0
        """The iteration whose training was told last."""

    def __enter__(self) -> Self:
        self._status.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._status.stop()

    def __rich__(self) -> Text:
        from rich.text import Text

        left = self._budget.left
        rest = f"{_clock(left)} left" if left > 0 else "ending"
        return Text.assemble("   ".join(self._parts()), "   ", (rest, "dim"))

    async def break_silence(self) -> None:
        """Say what is going on whenever nothing was printed for a while, until cancelled."""
        await self._silence.run()

    def welcome(self, minutes: float) -> None:
        """Print what is about to happen."""
        self._print(
            "[bold]WebGym demo[/]: nano, a tiny policy, is tested on websites it has never seen, learns on others, "
            f"and is tested again.\nAbout {minutes:g} minutes on this machine; nothing leaves it. Ctrl-C stops it and "
            "keeps the results so far.",
            markup=True,
        )
        self._print(f"output folder: {self._folder}/")
        self._begin("starting the trainer, the engine, websites and browsers")

    def opened(self, pages: Sequence[ServedPage]) -> None:
        """Print the pages that are now served."""
        for page in pages:
            self._page(page.name, page.url)
        for page in pages:
            if page.tunnel:
                self._print(f"  to open {page.name} from your own machine, run there: {page.tunnel}")

    def say(self, line: str) -> None:
        """Print a line from training."""
        name, _, url = line.partition(" ")
        if name in _SHOWS:
            self._page(name, url)
        else:
            self._print(f"  {line}")

    def happened(self, event: Event) -> None:
        """Count attempts."""
        from webgym.records.event import AttemptEnded, AttemptSubmitted

        match event:
            case AttemptSubmitted() if self._learns:
                self._planned += 1
            case AttemptEnded(outcome=outcome):
                self._over += 1
                self._solved += outcome == "success"
            case _:
                pass

    def evaluating(self, iteration: int, planned: int, finished: FinishedGroup | None) -> None:
        """Tell that an evaluation begins or continues."""
        if finished is None and (self._learns or not self._planned):  # otherwise it only has more tasks
            self._begin("after: the same tasks again" if iteration else "before: tasks on unseen websites")
        self._planned = planned

    def trained(self, iteration: Iteration) -> None:
        """Print the result of training in an iteration."""
        if iteration.train is None or iteration.iteration == self._trained:
            return
        self._trained = iteration.iteration
        self._print(f"  {_learned(iteration)}")

    def ended(self, iteration: Iteration) -> None:
        """Print the result of an iteration."""
        self.trained(iteration)
        tests = iteration.evaluation
        if tests is not None:
            when = "after" if iteration.iteration else "before"
            graded = tests.success.attempts
            lost = f", {tests.tasks - graded} more not graded (infrastructure errors)" if tests.tasks > graded else ""
            self._print(f"[bold]{when}[/]: {told(tests.success)}, on {tests.sites} unseen websites{lost}", markup=True)
        for warning in iteration.warnings:
            self._print(f"  warning: {warning}")
        if iteration.iteration == 0:
            self._tell_slowness()
            self._print("[bold]learning[/]: rounds of attempts on training websites, each with an update", markup=True)
        over = tests is not None and iteration.iteration > 0
        self._begin("writing the report" if over else f"learning, round {iteration.iteration + 1}", learns=not over)

    def concluded(self, outcome: Outcome, *, stopped: bool) -> None:
        """Print the result of the demo."""
        self._doing = ""
        self._status.stop()
        if outcome.course is not None and outcome.compared is not None:
            self._console.print(before_and_after(outcome))
            self._print(difference_told(outcome, self._budget.minutes_for_a_rate))
        if outcome.report is not None:
            self._print(f"report: {outcome.report}")
        self._print(
            f"attempts: webgym view {self._folder}   "
            f"to continue training without a time limit: webgym train --resume {self._folder}"
        )
        if self._stays and not stopped:
            self._print("curves and viewer keep running; Ctrl-C stops them")

    def _tell_slowness(self) -> None:
        if minutes := self._budget.minutes_for_a_rate:
            self._print(
                f"  this machine is too slow for a success rate in this time: it takes {ENOUGH_FOR_A_RATE} tasks "
                f"before and after, for which --minutes {minutes} would do"
            )

    def _begin(self, doing: str, *, learns: bool = False) -> None:
        self._doing, self._learns = doing, learns
        self._solved = self._over = self._planned = 0

    def _parts(self) -> list[str]:
        """Return what is going on, and how far it got."""
        if not self._planned:
            return [self._doing]
        counts = f"{self._over} of {self._planned} attempts finished, {self._solved} solved"
        learns = self._learns and self._over >= self._planned
        return [self._doing, counts, *(["updating the weights"] if learns else [])]

    def _page(self, name: str, url: str) -> None:
        self._print(f"  {name:<8} {url}   [dim]{_SHOWS[name]}[/]", markup=True)

    def _line(self) -> str:
        clock = _clock(time.monotonic() - self._began)
        return f"  {clock}  {'; '.join(self._parts())}" if self._doing else ""

    def _print(self, line: str, *, markup: bool = False) -> None:
        self._silence.print(line, markup=markup)


def _learned(iteration: Iteration) -> str:
    tried, update = iteration.train, iteration.learned
    if tried is None:
        return ""
    rate = tried.success
    what = f"learned from {update.rows} steps" if update is not None else "no update: equal rewards in every group"
    seconds = sum(value for name, value in iteration.seconds.items() if name != "evaluate")
    return f"round {iteration.iteration}: {rate.successes} of {rate.attempts} attempts solved, {what}, {seconds:.0f} s"


def _clock(seconds: float) -> str:
    whole = max(0, round(seconds))
    return f"{whole // 60}:{whole % 60:02d}"
