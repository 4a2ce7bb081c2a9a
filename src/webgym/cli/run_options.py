"""What `rollout`, `eval` and `try` share: options, a folder for the run, and how they tell what happens."""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Self

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from webgym.monitor.board import Board
    from webgym.pipeline.runs.config import RunConfig
    from webgym.pipeline.runs.run import Ran
    from webgym.records.event import Event
    from webgym.records.trajectory import Attempt, Ending
    from webgym.store.meta import RunKind, RunMeta

Overrides = Annotated[
    list[str] | None, typer.Argument(help="Settings such as tasks.count=50 agent.use=oracle.", show_default=False)
]
ConfigFile = Annotated[Path | None, typer.Option("--config", "-c", help="TOML file with settings, or a shipped one by name: train-nano.")]
Limit = Annotated[int, typer.Option(min=0, help="Only so many tasks: a smoke run. 0: as configured.")]
Resume = Annotated[Path | None, typer.Option(help="Folder of a run to go on with.")]
PrintConfig = Annotated[bool, typer.Option("--print-config", help="Show all settings as TOML and stop.")]
AsJson = Annotated[bool, typer.Option("--json", help="One line of JSON on standard output.")]

TRAIN_BASE: Mapping[str, Any] = {"tasks": {"split": "train"}, "limits": {"easy": 10, "medium": 20, "hard": 30}}
"""Of `rollout`: training sites, and the published horizons of training."""
TEST_BASE: Mapping[str, Any] = {}
"""Of `eval`: the defaults, which are sites never trained on and the published horizons of tests."""

_RESUMED: tuple[RunKind, ...] = ("rollout", "eval")
"""What has --resume; a try is begun again."""


class Chosen:
    """What to run and where."""

    def __init__(self, config: RunConfig, folder: Path, meta: RunMeta | None) -> None:
        self.config = config
        self.folder = folder
        self.meta = meta


def choose(
    kind: RunKind,
    base: Mapping[str, Any],
    config: Path | None,
    overrides: list[str] | None,
    limit: int,
    resume: Path | None,
) -> Chosen:
    """The configuration and folder of a new run, or of one to go on with.

    Raises:
        ConfigError: Settings that cannot be, or given together with a run to resume.
    """
    from webgym.errors import ConfigError
    from webgym.pipeline.runs.load import config_from, load_config
    from webgym.store.meta import load_meta

    if resume is not None:
        if config or overrides or limit:
            raise ConfigError("a run is resumed as it was begun: leave out --config, --limit and settings")
        meta = load_meta(resume)
        return Chosen(config_from(meta.config), resume, None)
    more = [f"tasks.count={limit}"] if limit else []
    loaded = load_config(config, [*(overrides or []), *more], base)
    name = loaded.name or f"{kind}-{time.strftime('%Y%m%d-%H%M%S')}"
    folder = Path(loaded.store.root) / name
    if folder.exists() and any(folder.iterdir()):
        go_on = f"go on with --resume {folder}, or " if kind in _RESUMED else ""
        raise ConfigError(f"{folder} is there already: {go_on}choose another name=")
    return Chosen(loaded, folder, made_meta(kind, name, loaded))


def made_meta(kind: RunKind, name: str, config: RunConfig) -> RunMeta:
    """Of a run that begins now."""
    import platform

    import webgym
    from webgym.pipeline.runs.load import to_toml
    from webgym.store.meta import RunMeta

    return RunMeta(
        name=name,
        created=time.time(),
        command=" ".join(["webgym", *sys.argv[1:]]),
        config=to_toml(config),
        seed=config.seed,
        versions={"webgym": webgym.__version__, "python": platform.python_version()},
        kind=kind,
    )


class Teller:
    """Tells a person in the terminal how a run goes: a line that is kept up to date, and what is worth keeping."""

    def __init__(self, console: Console, *, each_step: bool = False) -> None:
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

        self._console = console
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

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._progress.stop()

    def say(self, line: str) -> None:
        """Something worth reading."""
        self._console.print(line, markup=False)

    def watch(self, board: Board, planned: int, kept: int) -> None:
        """The run begins."""
        del board
        if kept:
            self.say(f"{kept} of {planned} attempts are over already")
        self._progress.update(self._bar, total=planned, completed=kept)

    def happened(self, event: Event) -> None:
        """Anything at all."""
        from webgym.records.event import StepDecided

        match event:
            case StepDecided(step=step, action=action, sentence=sentence, url=url) if self._each_step:
                self.say(f"{step:>3}  {url}\n     {action}  {sentence}")
            case _:
                pass

    def ended(self, attempt: Attempt, ending: Ending) -> None:
        """One more is over."""
        del attempt
        from webgym.records.trajectory import outcome_kind

        kind = outcome_kind(ending.outcome)
        self._counts[kind] = self._counts.get(kind, 0) + 1
        counts = "  ".join(f"{name} {count}" for name, count in sorted(self._counts.items()))
        self._progress.update(self._bar, advance=1, counts=counts)


def carry_out(chosen: Chosen, console: Console, *, each_step: bool = False) -> Ran:
    """Run it, watched; what is left to do afterwards is told."""
    import anyio

    from webgym.cli.setup import ensure_ready

    ensure_ready()
    from webgym.pipeline.runs.run import run

    with Teller(console, each_step=each_step) as teller:
        ran = anyio.run(run, chosen.config, chosen.folder, chosen.meta, teller, backend_options={"use_uvloop": True})
    kind = _kind(chosen)
    if not ran.complete and kind in _RESUMED:
        console.print(f"to go on: webgym {kind} --resume {chosen.folder}", markup=False)
    return ran


def _kind(chosen: Chosen) -> RunKind:
    from webgym.store.meta import load_meta

    return (chosen.meta or load_meta(chosen.folder)).kind
