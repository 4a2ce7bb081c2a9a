"""`webgym train` as a Python function, without terminal output."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import anyio.to_thread

from webgym.curves.about import RunFacts
from webgym.curves.file import read
from webgym.records.curve import Iteration
from webgym.run.about import state_of
from webgym.run.best_weights import Best, found_best
from webgym.run.choose import RunChoice, choose
from webgym.run.commands import check_browser, waited, wanted_by
from webgym.run.folders import Folders
from webgym.run.progress import NoProgress, ProgressListener
from webgym.run.report import before_and_after, report
from webgym.run.train import train
from webgym.run.train_config import TrainConfig
from webgym.store.compare import Comparison


@dataclass(frozen=True, slots=True)
class TrainResult:
    """The result of a training run."""

    folder: Path
    """Run folder, accepted by `webgym.load_run`, `webgym view` and `resume`."""
    iterations: tuple[Iteration, ...]
    """All finished iterations, including those before a resume."""
    compared: Comparison | None
    """Paired comparison of the last evaluation with the first; None with fewer than two evaluations."""
    best: Best | None
    report: Path | None
    """HTML report; None if no iteration finished."""
    interrupted: bool
    """Whether a signal such as Ctrl-C stopped the run early; it can be resumed."""


def run_train(
    config: str | Path | None = None,
    overrides: Sequence[str] = (),
    *,
    resume: str | Path | None = None,
    until: int = 0,
    progress: ProgressListener | None = None,
    **settings: Any,
) -> TrainResult:
    """Train a policy with RL and evaluate it along the way, as `webgym train` does.

    Args:
        config: A TOML file, or the name of one that ships with the package.
        overrides: Dotted overrides, as on the command line: `["iterations=20", "train.lr=1e-5"]`.
        resume: Folder of a run to resume, with its stored configuration.
        until: Stop after this iteration; the run can be resumed later. 0 runs all iterations.
        progress: Receives progress; by default nothing is reported.
        **settings: Overrides by section: `iterations=20, train={"lr": 1e-5}`.

    Raises:
        WebGymError: The run is not possible as configured; the message says why.
    """
    again = partial(run_train_async, config, overrides, resume=resume, until=until, progress=progress, **settings)
    return waited(again)


async def run_train_async(
    config: str | Path | None = None,
    overrides: Sequence[str] = (),
    *,
    resume: str | Path | None = None,
    until: int = 0,
    progress: ProgressListener | None = None,
    **settings: Any,
) -> TrainResult:
    """Async version of `run_train`."""
    chosen = choose("train", TrainConfig, wanted_by("run_train", config, overrides, resume, settings))
    return await carry_out(chosen, progress, until)


async def carry_out(
    chosen: RunChoice[TrainConfig], progress: ProgressListener | None = None, until: int = 0
) -> TrainResult:
    """Train up to iteration `until` (0: all of them) and return the result."""
    config = chosen.config
    check_browser(config)
    progress = progress or NoProgress()
    for note in chosen.notes:
        progress.on_message(note)
    stopped = await train(config, chosen.folder, chosen.meta, progress, until or config.iterations)
    return await anyio.to_thread.run_sync(partial(_result, chosen.folder, config, interrupted=stopped))


def _result(folder: Path, config: TrainConfig, *, interrupted: bool) -> TrainResult:
    """Read the result from disk and write the report."""
    folders = Folders(folder)
    iterations = read(folders.curve)
    evaluated = [iteration.iteration for iteration in iterations if iteration.evaluation is not None]
    best = found_best(iterations, folders, config.policy.model)
    return TrainResult(
        folder=folder,
        iterations=tuple(iterations),
        compared=before_and_after(folders, evaluated) if len(evaluated) > 1 else None,
        best=best,
        report=report(folders, iterations, _about(folder, config, best)) if iterations else None,
        interrupted=interrupted,
    )


def _about(folder: Path, config: TrainConfig, best: Best | None) -> RunFacts:
    facts = {"recipe": config.train.recipe, **({"best": f"version {best.version}"} if best else {})}
    state = state_of(folder, config, config.iterations)
    return RunFacts(run=folder.name, planned=config.iterations, facts=facts, state=state)
