"""The pages of a training run: the monitor, and its learning curves, which also go to trackers."""

from __future__ import annotations

from contextlib import closing
from dataclasses import dataclass

from webgym.curves.about import RunFacts
from webgym.curves.serve import serve_curves
from webgym.monitor.board import Board
from webgym.records.curve import Iteration
from webgym.run.curve_log import CurveLog
from webgym.run.folders import Folders
from webgym.run.gauges import training_gauges
from webgym.run.resources import Resources
from webgym.run.shown import AttemptArchive
from webgym.run.trackers import trackers_of
from webgym.run.train_config import TrainConfig
from webgym.store.write import RunWriter


@dataclass(frozen=True, slots=True)
class TrainingPages:
    """What the pages show."""

    board: Board
    shown: AttemptArchive
    curve: CurveLog


async def open_pages(
    resources: Resources, config: TrainConfig, writer: RunWriter, iterations: list[Iteration], planned: int | None
) -> TrainingPages:
    """Serve the monitor and the curves, as far as they are wanted, and say where."""
    stack, folders = resources.stack, Folders(resources.folder)
    board, shown = Board(), stack.enter_context(closing(AttemptArchive(writer)))
    training_gauges(board.metrics, lambda: iterations)
    about = _about(config, writer.meta.name, planned)
    await resources.monitor(board, shown, about.run)
    if config.curves.serve:
        curves = serve_curves(lambda: iterations, about=about, port=config.curves.port, option="curves.port")
        for line in (await stack.enter_async_context(curves)).lines():
            resources.progress.on_message(line)
    trackers = trackers_of(config, about, folders)
    for tracker in trackers:
        stack.callback(tracker.close)
    return TrainingPages(board, shown, CurveLog(folders.curve, iterations, trackers, resources.progress))


def _about(config: TrainConfig, run: str, planned: int | None) -> RunFacts:
    facts = {"model": config.policy.model, "recipe": config.train.recipe}
    control = {} if config.control == "none" else {"control": config.control}
    return RunFacts(run=run, planned=planned, facts=facts | control)
