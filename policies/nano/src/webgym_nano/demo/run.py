"""Run the demo: serve pages, evaluate, train, evaluate, write the report; optionally keep the pages up."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import anyio
import anyio.to_thread
from msgspec.structs import replace

from webgym.curves.about import RunFacts
from webgym.run.progress import ProgressListener
from webgym.run.train import train
from webgym.run.train_config import TrainConfig
from webgym.serving.page_server import ServedPage
from webgym.store.meta import RunMeta
from webgym_nano.demo.budget import Budget
from webgym_nano.demo.full_length import shipped_curve
from webgym_nano.demo.outcome import Outcome, outcome_of
from webgym_nano.demo.pages import serve_pages


class DemoListener(ProgressListener, Protocol):
    """Receives the progress of the demo."""

    def on_pages(self, pages: Sequence[ServedPage]) -> None:
        """Report the pages that are now served."""
        ...

    def on_outcome(self, outcome: Outcome, *, stopped: bool) -> None:
        """Report the outcome, after the run finished or was stopped."""
        ...


@dataclass(frozen=True, slots=True)
class Demo:
    """A demo to run."""

    config: TrainConfig
    folder: Path
    meta: RunMeta
    budget: Budget
    stays: bool
    """Whether the pages stay up afterwards, until Ctrl-C."""


async def run_demo(demo: Demo, progress: DemoListener) -> bool:
    """Run the demo; return whether a signal stopped it early."""
    config = demo.config
    # The viewer needs the folder before the run exists.
    await anyio.Path(demo.folder).mkdir(parents=True, exist_ok=True)
    about = RunFacts(demo.folder.name, facts={"model": config.policy.model, "recipe": config.train.recipe})
    async with serve_pages(demo.folder, lambda: about) as pages:
        progress.on_pages(pages)
        # The curves are served here, and stay up longer than the run.
        ours = config.model_copy(update={"curves": config.curves.model_copy(update={"serve": False})})
        stopped = await train(ours, demo.folder, demo.meta, progress, config.iterations, demo.budget)
        about = replace(about, state="stopped" if stopped else "ended")
        outcome = await anyio.to_thread.run_sync(outcome_of, demo.folder, about, shipped_curve())
        progress.on_outcome(outcome, stopped=stopped)
        if demo.stays and not stopped:
            await _until_told()
    return stopped


async def _until_told() -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            return
