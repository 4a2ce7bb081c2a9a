"""Options shared by `rollout`, `eval`, `try` and `train`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from webgym.cli.completions import config_names, run_names
from webgym.cli.failures import ExitCode, code_of_run
from webgym.cli.progress import AttemptsProgress
from webgym.cli.told_once import tell_about_sandbox

if TYPE_CHECKING:
    from rich.console import Console

    from webgym.run.choose import RunChoice
    from webgym.run.commands import RunResult
    from webgym.run.config import RunConfig
    from webgym.store.meta import RunKind

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
    with AttemptsProgress(console, each_step=each_step) as progress:
        ran = anyio.run(_followed, chosen, progress, backend_options={"use_uvloop": True})
    if ran.interrupted and not (chosen.folder / META_FILE).is_file():
        raise typer.Exit(ExitCode.INTERRUPTED)
    lost = ran.summary.outcomes["infrastructure"]
    if chosen.kind in RESUMED and (lost or not ran.complete):
        what = "to resume" if not ran.complete else f"to try the {lost} again that were lost to infrastructure"
        console.print(f"{what}: webgym {chosen.kind} --resume {chosen.folder}", markup=False)
    return ran


async def _followed(chosen: RunChoice[C], progress: AttemptsProgress) -> RunResult:
    from webgym.concurrency import background
    from webgym.run import commands

    async with background() as tasks:
        tasks.start_soon(progress.break_silence)
        return await commands.carry_out(chosen, progress)


def exit_after(ran: RunResult, config: RunConfig) -> None:
    """Exit with the code of a run that did not go well."""
    judged = config.judge.use != "none"
    code = code_of_run(ran.summary, complete=ran.complete, interrupted=ran.interrupted, judged=judged)
    if code is not None:
        raise typer.Exit(code)
