"""`webgym train` as a function: the same run, without a word on the terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import anyio.to_thread

from webgym.curves.about import About
from webgym.curves.file import read
from webgym.pipeline.runs.choose import Chosen, choose
from webgym.pipeline.runs.commands import check_browser, waited, wanted_by
from webgym.pipeline.train.best_weights import Best, found_best
from webgym.pipeline.train.config import TrainConfig
from webgym.pipeline.train.folders import Folders
from webgym.pipeline.train.report import before_and_after, report
from webgym.pipeline.train.startup import Audience, Silent
from webgym.pipeline.train.stop import stoppable
from webgym.records.curve import Iteration
from webgym.store.compare import Comparison


@dataclass(frozen=True, slots=True)
class TrainResult:
    """What came of training."""

    folder: Path
    """For `webgym.load_run`, `webgym view` and `resume`."""
    iterations: tuple[Iteration, ...]
    """All that are done, those before it was resumed included."""
    compared: Comparison | None
    """The last evaluation with the first, task by task; None unless there were two."""
    best: Best | None
    report: Path | None
    """A page to look at; None if nothing was done."""
    interrupted: bool
    """Whether Control-C ended it early; it can be resumed."""


def run_train(
    config: str | Path | None = None,
    overrides: Sequence[str] = (),
    *,
    resume: str | Path | None = None,
    until: int = 0,
    audience: Audience | None = None,
    **settings: Any,
) -> TrainResult:
    """Let a policy attempt tasks, learn from what came of it, and test it, as `webgym train` does.

    Args:
        config: A TOML file, or the name of one that ships with the package.
        overrides: As they are typed: `["iterations=20", "train.lr=1e-5"]`.
        resume: Folder of a run to go on with, as it was begun.
        until: Stop after this iteration; the run can go on later. 0: all of them.
        audience: Who is told how it goes; nobody by default.
        **settings: Sections and what is different in them: `iterations=20, train={"lr": 1e-5}`.

    Raises:
        WebGymError: It cannot be run like this; the message says why.
    """
    again = partial(run_train_async, config, overrides, resume=resume, until=until, audience=audience, **settings)
    return waited(again)


async def run_train_async(
    config: str | Path | None = None,
    overrides: Sequence[str] = (),
    *,
    resume: str | Path | None = None,
    until: int = 0,
    audience: Audience | None = None,
    **settings: Any,
) -> TrainResult:
    """`run_train`, for code in an event loop."""
    chosen = choose("train", TrainConfig, wanted_by("run_train", config, overrides, resume, settings))
    return await carry_out(chosen, audience, until)


async def carry_out(chosen: Chosen[TrainConfig], audience: Audience | None = None, until: int = 0) -> TrainResult:
    """Train until this iteration, and say what came of it."""
    config = chosen.config
    check_browser(config)
    stopped = await stoppable(config, chosen.folder, chosen.meta, audience or Silent(), until or config.iterations)
    return await anyio.to_thread.run_sync(partial(_result, chosen.folder, config, interrupted=stopped))


def _result(folder: Path, config: TrainConfig, *, interrupted: bool) -> TrainResult:
    """What is on disk, with a report written beside it."""
    folders = Folders(folder)
    iterations = read(folders.curve)
    evaluated = [one.iteration for one in iterations if one.evaluation is not None]
    best = found_best(iterations, folders, config.policy.model)
    facts = {"recipe": config.train.recipe, **({"best": f"version {best.version}"} if best else {})}
    about = About(run=folder.name, planned=config.iterations, facts=facts)
    return TrainResult(
        folder=folder,
        iterations=tuple(iterations),
        compared=before_and_after(folders, evaluated) if len(evaluated) > 1 else None,
        best=best,
        report=report(folders, iterations, about) if iterations else None,
        interrupted=interrupted,
    )
