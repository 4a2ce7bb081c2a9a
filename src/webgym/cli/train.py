"""`webgym train`: reinforcement learning on the policy's own attempts."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Self

import typer

from webgym.cli.run_options import TRAIN_BASE, AsJson, ConfigFile, Overrides, PrintConfig, Resume

if TYPE_CHECKING:
    from rich.console import Console

    from webgym.pipeline.train.config import TrainConfig
    from webgym.records.curve import Iteration, Rate
    from webgym.records.event import Event
    from webgym.rollout.pool import Finished
    from webgym.store.meta import RunMeta

RESUME = "to go on: webgym train --resume {folder}"


def train(
    overrides: Overrides = None,
    config: ConfigFile = None,
    resume: Resume = None,
    until: Annotated[
        int, typer.Option(min=0, help="Stop after this iteration; the run can go on later. 0: all of them.")
    ] = 0,
    print_config: PrintConfig = False,
    as_json: AsJson = False,
) -> None:
    """Let a policy attempt tasks, learn from what came of it, and test it on websites it never saw; again and again.

    Settings come from --config and from arguments such as `iterations=20 train.lr=1e-5 policy.model=FOLDER`.
    """
    import anyio
    from rich.console import Console

    from webgym.cli.setup import ensure_ready
    from webgym.pipeline.train.stop import stoppable

    chosen, folder, meta = _choose(config, overrides, resume)
    if print_config:
        from webgym.cli.run_report import print_settings

        print_settings(chosen)
        return
    ensure_ready(training=True)
    console = Console(stderr=as_json, highlight=False, soft_wrap=True)
    planned = chosen.iterations
    with Teller(console, planned) as teller:
        stopped = anyio.run(
            stoppable, chosen, folder, meta, teller, until or planned, backend_options={"use_uvloop": True}
        )
    _finish(folder, chosen, console, as_json=as_json)
    if stopped:
        console.print(RESUME.format(folder=folder), markup=False)
        raise typer.Exit(130)


def _choose(
    config: Path | None, overrides: list[str] | None, resume: Path | None
) -> tuple[TrainConfig, Path, RunMeta | None]:
    import time

    from webgym.cli.run_options import made_meta
    from webgym.errors import ConfigError
    from webgym.pipeline.runs.load import config_from_as, load_config_as
    from webgym.pipeline.train.config import TrainConfig
    from webgym.store.meta import load_meta

    if resume is not None:
        if config or overrides:
            raise ConfigError("a run is resumed as it was begun: leave out --config and settings")
        meta = load_meta(resume)
        if meta.kind != "train":
            instead = "" if meta.kind == "try" else f": webgym {meta.kind} --resume {resume}"
            raise ConfigError(f"{resume} is a run of `webgym {meta.kind}`, not of training{instead}")
        return config_from_as(TrainConfig, meta.config), resume, None
    loaded = load_config_as(TrainConfig, config, overrides or (), TRAIN_BASE)
    name = loaded.name or f"train-{time.strftime('%Y%m%d-%H%M%S')}"
    folder = Path(loaded.store.root) / name
    if folder.exists() and any(folder.iterdir()):
        raise ConfigError(f"{folder} is there already: go on with --resume {folder}, or choose another name=")
    return loaded, folder, made_meta("train", name, loaded)


def _finish(folder: Path, config: TrainConfig, console: Console, *, as_json: bool) -> None:
    """Write the report, and say what came of it."""
    import msgspec

    from webgym.curves.about import About
    from webgym.curves.file import read
    from webgym.pipeline.train.folders import Folders
    from webgym.pipeline.train.report import before_and_after, report

    folders = Folders(folder)
    iterations = read(folders.curve)
    evaluated = [one for one in iterations if one.evaluation is not None]
    about = About(run=folder.name, planned=config.iterations, facts={"recipe": config.train.recipe})
    page = report(folders, iterations, about) if iterations else None
    compared = before_and_after(folders, [one.iteration for one in evaluated]) if len(evaluated) > 1 else None
    if as_json:
        found = {
            "run": folder.name,
            "path": str(folder),
            "iterations": iterations,
            "difference": compared and compared.difference,
            "tasks_paired": compared and compared.tasks,
            "p_value": compared and compared.p_value,
        }
        print(msgspec.json.encode(found).decode())
    if compared:
        found = compared.difference
        console.print(
            f"unseen websites: {compared.success_a:.1%} before, {compared.success_b:.1%} after, on {compared.tasks} "
            f"tasks: {found.estimate:+.1%} (95 % interval {found.low:+.1%} to {found.high:+.1%})"
        )
    if page:
        console.print(f"report: {page}", markup=False)


class Teller:
    """Tells a person in the terminal how training goes: a line an iteration, and one that is kept up to date."""

    def __init__(self, console: Console, planned: int) -> None:
        from rich.status import Status

        self._console = console
        self._planned = planned
        self._status = Status("starting", console=console)
        self._counts: dict[str, int] = {}
        self._iteration = 0

    def __enter__(self) -> Self:
        self._status.start()
        return self

    def __exit__(self, *exception: object) -> None:
        self._status.stop()

    def say(self, line: str) -> None:
        """Something worth reading."""
        self._console.print(line, markup=False)

    def happened(self, event: Event) -> None:
        """Anything at all."""
        from webgym.records.event import AttemptEnded

        match event:
            case AttemptEnded(outcome=outcome):
                self._counts[outcome] = self._counts.get(outcome, 0) + 1
                counts = "  ".join(f"{name} {count}" for name, count in sorted(self._counts.items()))
                self._status.update(f"iteration {self._iteration} of {self._planned}   {counts}")
            case _:
                pass

    def evaluating(self, iteration: int, planned: int, finished: Finished | None) -> None:
        """An evaluation begins, or goes on."""
        if finished is None:
            self._counts.clear()
            self._status.update(f"evaluation after iteration {iteration}: {planned} attempts")

    def ended(self, iteration: Iteration) -> None:
        """One more is over."""
        self._iteration = iteration.iteration + 1
        self._counts.clear()
        parts = [f"{iteration.iteration:>4}"]
        if iteration.train:
            parts.append(f"train {_rate(iteration.train.success)}")
        if iteration.learned:
            loss = iteration.learned.figures.get("loss", 0.0)
            parts.append(f"learned from {iteration.learned.rows} steps, loss {loss:+.4f}")
        elif iteration.iteration:
            parts.append("nothing to learn from")
        if iteration.flow and iteration.learned:
            parts.append(f"lag {iteration.flow.lag_mean:.1f}, at most {iteration.flow.lag_max}")
        if iteration.evaluation:
            parts.append(f"unseen websites {_rate(iteration.evaluation.success)}")
        spent = "  ".join(f"{name} {seconds:.0f}" for name, seconds in iteration.seconds.items() if seconds >= 1)
        self.say("   ".join([*parts, f"[{spent} s]"]))


def _rate(rate: Rate) -> str:
    return f"{rate.rate:.1%} ({rate.low:.1%} to {rate.high:.1%} of {rate.attempts})"
