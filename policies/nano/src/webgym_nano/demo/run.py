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
from webgym.run.training.config import TrainConfig
from webgym.run.training.run import Audience
from webgym.run.training.stop import stoppable
from webgym.serving.page_server import ServedPage
from webgym.store.meta import RunMeta
from webgym_nano.demo.budget import Budget
from webgym_nano.demo.full_length import shipped_curve
from webgym_nano.demo.outcome import Outcome, outcome_of
from webgym_nano.demo.pages import serve_pages


class DemoAudience(Audience, Protocol):
    """Receives the progress of the demo."""

    def opened(self, pages: Sequence[ServedPage]) -> None:
        """Report the pages that are now served."""
        ...

    def concluded(self, outcome: Outcome, *, stopped: bool) -> None:
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


async def run_demo(demo: Demo, audience: DemoAudience) -> bool:
    """Run the demo; return whether a signal stopped it early."""
    config = demo.config
    # The viewer needs the folder before the run exists.
    await anyio.Path(demo.folder).mkdir(parents=True, exist_ok=True)
    about = RunFacts(demo.folder.name, facts={"model": config.policy.model, "recipe": config.train.recipe})
    async with serve_pages(demo.folder, lambda: about) as pages:
        audience.opened(pages)
        # The curves are served here, and stay up longer than the run.
        ours = config.model_copy(update={"curves": config.curves.model_copy(update={"serve": False})})
        stopped = await stoppable(ours, demo.folder, demo.meta, audience, config.iterations, demo.budget)
        about = replace(about, state="stopped" if stopped else "ended")
        outcome = await anyio.to_thread.run_sync(outcome_of, demo.folder, about, shipped_curve())
        audience.concluded(outcome, stopped=stopped)
        if demo.stays and not stopped:
            await _until_told()
    return stopped


async def _until_told() -> None:
    with anyio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
        async for _ in signals:
            return
