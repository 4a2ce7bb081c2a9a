"""What a run has open: parts open when they are asked for, and close in reverse when the run ends."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from webgym.engine.settings import EngineSettings
from webgym.monitor.board import Board
from webgym.records.sample import PolicyVersion
from webgym.records.task import Task
from webgym.run.attempt_resources import AttemptResources, attempt_resources
from webgym.run.config import RunConfig, TasksConfig
from webgym.run.health import open_health
from webgym.run.judges import JudgesFor, open_judges
from webgym.run.monitor_page import AttemptPictures, monitor_page
from webgym.run.policy import policy_of
from webgym.run.progress import NoProgress, ProgressListener
from webgym.run.sampler import Sampler, open_sampler
from webgym.run.servers import LOGS
from webgym.stages import Environment, Policy
from webgym.store.meta import RunMeta
from webgym.store.packs import PACK_FOLDER
from webgym.store.write import RunWriter, open_writer

if TYPE_CHECKING:
    from webgym.run.task_sets.health_recorder import HealthRecorder


@dataclass(frozen=True, slots=True)
class Resources:
    """Opens the parts of a run. The order is the caller's: what is most likely to fail comes first."""

    config: RunConfig
    folder: Path
    """The run's folder."""
    progress: ProgressListener
    stack: AsyncExitStack

    async def writer(self, meta: RunMeta | None) -> RunWriter:
        """Open the store for writing. Without `meta` the run must exist already."""
        budget = self.config.store.image_budget_bytes
        writer = await self.stack.enter_async_context(open_writer(self.folder, meta, image_budget_bytes=budget))
        if writer.lost_pictures:
            damaged = self.folder / PACK_FOLDER
            self.progress.on_message(f"{writer.lost_pictures} pictures of this run are gone: {damaged} is damaged")
        return writer

    async def health(
        self, tasks: TasksConfig, *, resumed: bool = True, draws_on: bool = False
    ) -> HealthRecorder | None:
        """Open the health database of these tasks, if they have one; see `open_health`."""
        folder = self.folder if resumed else None
        opening = open_health(tasks, folder, self.progress.on_message, draws_on=draws_on)
        return await self.stack.enter_async_context(opening)

    async def policy(self) -> Policy | None:
        """Open the policy; None if the agent queries no model."""
        return await self.stack.enter_async_context(policy_of(self.config, self.folder, self.progress.on_message))

    async def sampler(self, policy: PolicyVersion, engine: EngineSettings | None = None) -> Sampler:
        """Open a sampler of these weights, which takes others later."""
        opening = open_sampler(self.config.policy, policy, self.folder / LOGS, self.progress.on_message, engine)
        return await self.stack.enter_async_context(opening)

    async def judges(self) -> JudgesFor:
        """Open the judge, with the models that it queries."""
        return await self.stack.enter_async_context(open_judges(self.config, self.folder))

    async def attempts(
        self, tasks: Sequence[Task], environment: Environment | None = None, config: RunConfig | None = None
    ) -> AttemptResources:
        """Open the environment for these tasks, and the browsers; `config` may ask for other ones than the run's."""
        opening = attempt_resources(config or self.config, tasks, environment)
        return await self.stack.enter_async_context(opening)

    async def monitor(self, board: Board, view: AttemptPictures, run: str) -> None:
        """Serve the monitor page, if it is wanted, and say where."""
        if self.config.monitor.serve:
            serving = monitor_page(self.config.monitor, board, view, run, self.folder)
            for line in (await self.stack.enter_async_context(serving)).lines():
                self.progress.on_message(line)


@asynccontextmanager
async def open_resources(
    config: RunConfig, folder: Path = Path(), progress: ProgressListener = NoProgress()
) -> AsyncGenerator[Resources]:
    """Provide the resources of a run, none of them open yet. One that stores nothing needs no folder."""
    async with AsyncExitStack() as stack:
        yield Resources(config, folder, progress, stack)
