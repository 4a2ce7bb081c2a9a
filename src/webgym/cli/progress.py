"""The progress of runs in the terminal: of attempts, and of training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from webgym.cli.silence import SilenceBreaker
from webgym.run.progress import NoProgress

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import Console
    from rich.progress import Progress
    from rich.status import Status

    from webgym.monitor.board import Board
    from webgym.records.curve import AttemptResults, Iteration, Rate
    from webgym.records.event import Event
    from webgym.records.trajectory import Attempt, Ending
    from webgym.rollout.pool import FinishedGroup

SILENCE = 30.0
"""Seconds without a line after which a line says how far a run is, where there is no status line."""
LONG_SILENCE = 60.0
"""The same for training, whose phases take longer."""


class ConsoleProgress(NoProgress):
    """Prints lines that stay, and a live display below; where that is impossible, a line after every long silence."""

    def __init__(self, console: Console, live: Progress | Status, silence: float) -> None:
        self._live = live
        self._silence = SilenceBreaker(console, silence, self.doing)
        self._counts: dict[str, int] = {}

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._live.stop()

    def doing(self) -> str:
        """Return what is going on."""
        return "starting"

    async def break_silence(self) -> None:
        """Say what is going on whenever nothing was printed for a while, until cancelled."""
        await self._silence.run()

    def on_message(self, line: str) -> None:
        """Print a line."""
        self._silence.print(line)

    def count(self, outcome: str) -> str:
        """Count one more attempt with this outcome, and return all counts."""
        self._counts[outcome] = self._counts.get(outcome, 0) + 1
        return "  ".join(f"{name} {count}" for name, count in sorted(self._counts.items()))


class AttemptsProgress(ConsoleProgress):
    """Shows a rollout or an evaluation: a progress bar, and each step if wanted."""

    def __init__(self, console: Console, *, each_step: bool = False, silence: float = SILENCE) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._each_step = each_step
        self._progress = Progress(
            TextColumn("attempts"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[counts]}"),
            console=console,
            transient=True,
        )
        self._bar = self._progress.add_task("attempts", counts="", total=None)
        super().__init__(console, self._progress, silence)

    def doing(self) -> str:
        bar = self._progress.tasks[self._bar]
        if bar.total is None:
            return super().doing()
        return f"{bar.completed:.0f} of {bar.total:.0f} attempts ended  {bar.fields['counts']}".rstrip()

    def on_start(self, board: Board, planned: int, kept: int) -> None:
        """Start the progress bar."""
        del board
        if kept:
            self.on_message(f"{kept} of {planned} attempts are already finished")
        self._progress.update(self._bar, total=planned, completed=kept)

    def on_event(self, event: Event) -> None:
        """Print the step of a decision event, if each step is wanted."""
        from webgym.records.event import StepDecided

        match event:
            case StepDecided(step=step, action=action, sentence=sentence, url=url) if self._each_step:
                self.on_message(f"{step:>3}  {url}\n     {action}  {sentence}")
            case _:
                pass

    def on_attempt(self, attempt: Attempt, ending: Ending) -> None:
        """Count one more finished attempt."""
        del attempt
        from webgym.records.trajectory import outcome_kind

        self._progress.update(self._bar, advance=1, counts=self.count(outcome_kind(ending.outcome)))


class TrainingProgress(ConsoleProgress):
    """Shows a training run: a line for each iteration, and a status line."""

    def __init__(self, console: Console, planned: int, silence: float = LONG_SILENCE) -> None:
        from rich.status import Status

        self._planned = planned
        self._doing = super().doing()
        self._status = Status(self._doing, console=console)
        self._iteration = 0
        self._updated = 0
        """The iteration whose training was told last."""
        super().__init__(console, self._status, silence)

    def doing(self) -> str:
        return self._doing

    def on_event(self, event: Event) -> None:
        """Count finished attempts in the status line."""
        from webgym.records.event import AttemptEnded

        match event:
            case AttemptEnded(outcome=outcome):
                self._show(f"iteration {self._iteration} of {self._planned}   {self.count(outcome)}")
            case _:
                pass

    def on_evaluation(self, iteration: int, planned: int, finished: FinishedGroup | None) -> None:
        """Show that an evaluation begins."""
        if finished is None:
            self._counts.clear()
            self._show(f"evaluation after iteration {iteration}: {planned} attempts")

    def on_update(self, iteration: Iteration) -> None:
        """Print the result of training in an iteration."""
        self._updated = iteration.iteration
        self._line(iteration.iteration, _training_parts(iteration), iteration.seconds)

    def on_iteration(self, iteration: Iteration) -> None:
        """Print the result of an iteration, or of its evaluation if its training was told already."""
        seconds = iteration.seconds
        if iteration.iteration == self._updated and iteration.iteration:
            parts, seconds = [], {name: value for name, value in seconds.items() if name == "evaluate"}
        else:
            parts = _training_parts(iteration)
        self._iteration = iteration.iteration + 1
        self._counts.clear()
        if iteration.evaluation:
            parts.append(f"unseen websites {_rate(iteration.evaluation.success)}{_masked(iteration.evaluation)}")
        self._line(iteration.iteration, parts, seconds)
        for warning in iteration.warnings:
            self.on_message(f"warning: {warning}")

    def _show(self, doing: str) -> None:
        self._doing = doing
        self._status.update(doing)

    def _line(self, iteration: int, parts: Sequence[str], seconds: Mapping[str, float]) -> None:
        spent = "  ".join(f"{name} {value:.0f}" for name, value in seconds.items() if value >= 1)
        # a postponed evaluation is not told with the seconds it took
        self.on_message("   ".join([f"{iteration:>4}", *parts, *([f"[{spent} s]"] if spent else [])]))


def _training_parts(iteration: Iteration) -> list[str]:
    parts: list[str] = []
    if iteration.train:
        parts.append(f"train {_rate(iteration.train.success)}{_masked(iteration.train)}")
    if iteration.learned:
        loss = iteration.learned.figures.get("loss", 0.0)
        parts.append(f"learned from {iteration.learned.rows} steps, loss {loss:+.4f}")
    elif iteration.iteration:
        parts.append("no update: nothing to learn from")
    if iteration.flow and iteration.learned:
        parts.append(f"lag {iteration.flow.lag_mean:.1f}, at most {iteration.flow.lag_max}")
    return parts


def _masked(tried: AttemptResults) -> str:
    return f", {tried.masked.share:.1%} without a reward" if tried.masked and tried.masked.attempts else ""


def _rate(rate: Rate) -> str:
    return f"{rate.rate:.1%} ({rate.low:.1%} to {rate.high:.1%} of {rate.attempts})"
