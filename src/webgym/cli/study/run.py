"""`webgym study run`: run a study from one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from webgym.cli.completions import study_names
from webgym.cli.failures import ExitCode
from webgym.cli.run_options import AsJson, Overrides

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from webgym.study.plan import StudyRun
    from webgym.study.progress import StudyResult
    from webgym.study.run import Conditions, StudyOutcome


def run(
    study: Annotated[
        Path,
        typer.Argument(
            metavar="STUDY",
            help="TOML file of a study, or the name of a shipped one, such as study-nano-async (see webgym configs).",
            autocompletion=study_names,
        ),
    ],
    overrides: Overrides = None,
    folder: Annotated[
        Path | None, typer.Option(help="Folder for the runs. Default: runs/ and the name of the study.")
    ] = None,
    at_once: Annotated[int, typer.Option(min=1, help="Concurrent runs; CPU cores are divided equally among them.")] = 1,
    minutes: Annotated[
        float, typer.Option(min=0, help="Stop all runs after this many minutes, to be resumed later; 0: no limit.")
    ] = 0,
    seeds: Annotated[str, typer.Option(help="Seeds to use instead of those in the file, such as 0,1,2.")] = "",
    arms: Annotated[
        str, typer.Option(help="Run only these arms now, such as sync,async; the others wait for another command.")
    ] = "",
    as_json: AsJson = False,
) -> None:
    """Train every arm of a study with every seed, then compare the arms.

    Run the same command again to resume unfinished runs; finished runs are
    skipped.

    Settings after the file apply to all arms: webgym study run study-nano-async
    iterations=10
    """
    import anyio
    import msgspec
    from rich.console import Console

    from webgym.study.design import load_design
    from webgym.study.outcome import begin, conclude
    from webgym.study.plan import runs_of
    from webgym.study.run import Conditions

    design = load_design(study, overrides or [], _seeds(seeds))
    chosen = _chosen(arms, [arm.name for arm in design.arms])
    folder = folder or Path("runs") / design.name
    runs = runs_of(design, folder)
    _make_ready([run for run in runs if not chosen or run.arm in chosen])
    begin(design.name, folder, runs)
    console = Console(stderr=as_json, highlight=False)
    conditions = Conditions(at_once, minutes * 60 or None, chosen)
    ran = anyio.run(_told, runs, conditions, console, backend_options={"use_uvloop": True})
    result = conclude(design.name, folder, ran.runs)
    _print(result, folder, console, chosen)
    if as_json:
        typer.echo(msgspec.json.encode(result).decode())
    if any(one.state == "failed" for one in ran.runs):
        raise typer.Exit(ExitCode.FAILURES)
    if ran.interrupted:
        raise typer.Exit(ExitCode.INTERRUPTED)


def _seeds(told: str) -> list[int]:
    from webgym.errors import ConfigError

    try:
        return [int(one) for one in told.split(",") if told]
    except ValueError:
        raise ConfigError(f"--seeds is a comma-separated list such as 0,1,2, not {told!r}") from None


def _chosen(told: str, arms: Sequence[str]) -> frozenset[str]:
    from webgym.errors import ConfigError

    chosen = told.split(",") if told else []
    if unknown := [one for one in chosen if one not in arms]:
        raise ConfigError(f"--arms: the study has no arm {unknown[0]!r}; its arms are {', '.join(arms)}")
    return frozenset(chosen)


def _make_ready(runs: Sequence[StudyRun]) -> None:
    """Install what is missing once, before several processes would do it concurrently."""
    from webgym.cli.setup import ensure_ready

    browsers = [run.config.browser for run in runs if run.standing != "done"]
    if browsers:
        own = [one for one in browsers if not one.url]
        ensure_ready(browser=bool(own), headed=any(one.headed for one in own), training=True)


async def _told(runs: Sequence[StudyRun], conditions: Conditions, console: Console) -> StudyOutcome:
    from webgym.cli.study.progress import StudyProgress
    from webgym.study.run import carry_out

    with StudyProgress(console) as progress:
        return await carry_out(runs, conditions, progress)


def _print(result: StudyResult, folder: Path, console: Console, chosen: frozenset[str]) -> None:
    from webgym.cli.study.progress import progress_table
    from webgym.cli.study.tables import print_study
    from webgym.study.page import write_page_of
    from webgym.study.progress import RESULT_FILE

    console.print(progress_table(result.runs))
    if result.compared:
        print_study(result.compared, console)
    for note in result.notes:
        console.print(note, markup=False, soft_wrap=True)
    if any(one.state != "done" and (not chosen or one.arm in chosen) for one in result.runs):
        console.print("to resume: run the same command again", markup=False)
    elif not result.complete:
        console.print("the other arms wait: run the same command without --arms", markup=False)
    console.print(f"study: {folder / RESULT_FILE}", markup=False, soft_wrap=True)
    if result.compared:
        console.print(f"page: {write_page_of(folder)}", markup=False, soft_wrap=True)
