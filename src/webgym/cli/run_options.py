"""Options and progress display shared by `rollout`, `eval`, `try` and `train`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self, TypeVar

import typer

from webgym.cli.completions import config_names, run_names
from webgym.cli.failures import ExitCode, code_of_run
from webgym.cli.silence import SilenceBreaker
from webgym.cli.told_once import tell_about_sandbox

if TYPE_CHECKING:
    from rich.console import Console

    from webgym.monitor.board import Board
    from webgym.records.event import Event
    from webgym.records.trajectory import Attempt, Ending
    from webgym.run.choose import RunChoice
    from webgym.run.commands import RunResult
    from webgym.run.config import RunConfig
    from webgym.store.meta import RunKind

SILENCE = 30.0
"""Seconds after which a line says how far a run is, where there is no terminal."""

Overrides = Annotated[
    list[str] | None, typer.Argument(help="Settings, such as tasks.count=50 browser.sessions=8.", show_default=False)
]
ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        "-c",
        help="TOML file with settings, or the name of a shipped one, such as train-nano (see webgym configs).",
        autocompletion=config_names,
    ),
]
Limit = Annotated[int, typer.Option(min=0, help="Maximum number of tasks, for a smoke test; 0: as configured.")]
Resume = Annotated[
    Path | None,
    typer.Option(help="Run to resume: its folder, or its name in runs/.", autocompletion=run_names),
]
PrintConfig = Annotated[bool, typer.Option("--print-config", help="Print all settings as TOML and exit.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON to standard output.")]

C = TypeVar("C", bound="RunConfig")


def choose(
    kind: RunKind,
    configured: type[C],
    config: Path | None,
    overrides: list[str] | None,
    resume: Path | None = None,
    base: Mapping[str, Any] | None = None,
) -> RunChoice[C]:
    """Return the new run, or the run to resume, that the arguments describe.

    Raises:
        ConfigError: Settings are invalid or cannot be combined with --resume, or the run is of another kind.
    """
    from webgym.run.choose import RunRequest
    from webgym.run.choose import choose as chosen

    return chosen(kind, configured, RunRequest(config, overrides or [], resume, base, command()))


def limited(overrides: list[str] | None, limit: int) -> list[str]:
    """Return the settings with --limit added as `tasks.count`."""
    return [*(overrides or []), *([f"tasks.count={limit}"] if limit else [])]


def command() -> str:
    """Return the command line as typed."""
    return " ".join(["webgym", *sys.argv[1:]])


class Teller:
    """Prints the progress of a run: a live progress bar, and lines that stay."""

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
        self._counts: dict[str, int] = {}
        self._silence = SilenceBreaker(console, silence, self._line)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._progress.stop()

    def _line(self) -> str:
        bar = self._progress.tasks[self._bar]
        if bar.total is None:
            return "starting"
        return f"{bar.completed:.0f} of {bar.total:.0f} attempts ended  {bar.fields['counts']}".rstrip()

    def say(self, line: str) -> None:
        """Print a line."""
        self._silence.print(line)

    async def break_silence(self) -> None:
        """Say how far it is whenever nothing was printed for a while, until cancelled."""
        await self._silence.run()

    def watch(self, board: Board, planned: int, kept: int) -> None:
        """Start the progress bar."""
        del board
        if kept:
            self.say(f"{kept} of {planned} attempts are already finished")
        self._progress.update(self._bar, total=planned, completed=kept)

    def happened(self, event: Event) -> None:
        """Print the step of a decision event, if each step is wanted."""
        from webgym.records.event import StepDecided

        match event:
            case StepDecided(step=step, action=action, sentence=sentence, url=url) if self._each_step:
                self.say(f"{step:>3}  {url}\n     {action}  {sentence}")
            case _:
                pass

    def ended(self, attempt: Attempt, ending: Ending) -> None:
        """Count one more finished attempt."""
        del attempt
        from webgym.records.trajectory import outcome_kind

        kind = outcome_kind(ending.outcome)
        self._counts[kind] = self._counts.get(kind, 0) + 1
        counts = "  ".join(f"{name} {count}" for name, count in sorted(self._counts.items()))
        self._progress.update(self._bar, advance=1, counts=counts)


def carry_out(chosen: RunChoice[C], console: Console, *, each_step: bool = False) -> RunResult:
    """Run with a progress display; print how to resume if attempts are left or were lost.

    Exit if it was stopped before it began.
    """
    import anyio

    from webgym.cli.setup import ensure_ready

    ensure_ready(browser=not chosen.config.browser.url, headed=chosen.config.browser.headed)
    from webgym.run.choose import RESUMED
    from webgym.store.meta import META_FILE

    if not chosen.config.browser.url:
        tell_about_sandbox(console)
    with Teller(console, each_step=each_step) as teller:
        ran = anyio.run(_told, chosen, teller, backend_options={"use_uvloop": True})
    if ran.interrupted and not (chosen.folder / META_FILE).is_file():
        raise typer.Exit(ExitCode.INTERRUPTED)
    lost = ran.summary.outcomes["infrastructure"]
    if chosen.kind in RESUMED and (lost or not ran.complete):
        what = "to resume" if not ran.complete else f"to try the {lost} again that were lost to infrastructure"
        console.print(f"{what}: webgym {chosen.kind} --resume {chosen.folder}", markup=False)
    return ran


async def _told(chosen: RunChoice[C], teller: Teller) -> RunResult:
    from webgym.concurrency import background
    from webgym.run import commands

    async with background() as tasks:
        tasks.start_soon(teller.break_silence)
        return await commands.carry_out(chosen, teller)


def exit_after(ran: RunResult, config: RunConfig) -> None:
    """Exit with the code of a run that did not go well."""
    judged = config.judge.use != "none"
    code = code_of_run(ran.summary, complete=ran.complete, interrupted=ran.interrupted, judged=judged)
    if code is not None:
        raise typer.Exit(code)
