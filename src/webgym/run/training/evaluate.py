"""Evaluate weights on websites that are never trained on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from webgym.curves.file import read
from webgym.records.sample import PolicyVersion
from webgym.records.task import Task
from webgym.rollout.pool import FinishedGroup, Roll, open_pool
from webgym.rollout.run_all import run_all
from webgym.run.load import to_toml
from webgym.run.tasks import groups_for
from webgym.run.training.config import TrainConfig
from webgym.run.training.folders import Folders
from webgym.run.training.run_length import RunLength
from webgym.run.training.train_test_overlap import check_rows
from webgym.stages import Events, Recorder
from webgym.store.meta import META_FILE, RunMeta
from webgym.store.read import Run, open_run
from webgym.store.rows import Row
from webgym.store.write import RunWriter, open_writer


@dataclass(frozen=True, slots=True)
class Evaluator:
    """Runs evaluations, each stored as a run of its own inside the training run."""

    config: TrainConfig
    tasks: Sequence[Task]
    folders: Folders
    meta: RunMeta
    """Metadata of the training run."""
    wire: Callable[[Recorder], Roll]
    events: Events
    trained_on: Run
    writing: Callable[[RunWriter | None], None]
    """Called with the writer of the evaluation when it starts and None when it ends, for the monitor."""
    told: Callable[[int, int, FinishedGroup | None], None]
    """Called with iteration, total attempts and the finished group; None for the group at the start."""
    pace: RunLength

    async def __call__(self, iteration: int, policy: PolicyVersion) -> list[Row]:
        """Evaluate these weights and return the rows of all attempts; those finished before a restart are kept."""
        folder = self.folders.evaluation(iteration)
        # An interrupted evaluation keeps its metadata, as its configuration may differ by now, such as in devices.
        meta = None if (folder / META_FILE).exists() else self._meta(iteration, policy)
        async with open_writer(folder, meta) as writer:
            self.writing(writer)
            try:
                await self._attempt(iteration, writer)
            finally:
                self.writing(None)
        with open_run(folder) as run:
            rows = run.rows()
        check_rows(self.trained_on.rows(), rows)
        return rows

    async def _attempt(self, iteration: int, writer: RunWriter) -> None:
        tasks = self._tasks(iteration)
        first = iteration == 0
        made = 0
        while count := self.pace.more_tests(made, len(tasks)) if first else len(tasks) - made:
            some = tasks[made : made + count]
            made += len(some)
            await self._some(iteration, some, made, writer)

    def _tasks(self, iteration: int) -> Sequence[Task]:
        """Return the tasks of the first evaluation, so that later ones are comparable with it.

        If that one failed, return all tasks: which of them it reached is arbitrary.
        """
        if iteration == 0 or not any(one.iteration == 0 and one.evaluation for one in read(self.folders.curve)):
            return self.tasks
        with open_run(self.folders.evaluation(0)) as run:
            tried = {row.task_id for row in run.rows()}
        return [task for task in self.tasks if task.task_id in tried] or self.tasks

    async def _some(self, iteration: int, tasks: Sequence[Task], made: int, writer: RunWriter) -> None:
        repeats = self.config.evaluate.tasks.repeats
        planned = made * repeats
        over = writer.finished()
        groups = groups_for(tasks, repeats, self.config.seed)
        todo = [[one for one in group if one.attempt_id not in over] for group in groups]
        self.told(iteration, planned, None)
        async with open_pool(self.wire(writer), self.events, slots=self.config.browser.sessions) as pool:
            # Ignores `pool.threshold`: cancelling the longest attempts would bias the success rate.
            await run_all(
                pool, [group for group in todo if group], lambda finished: self.told(iteration, planned, finished)
            )

    def _meta(self, iteration: int, policy: PolicyVersion) -> RunMeta:
        return RunMeta(
            name=f"{self.meta.name}, evaluation {iteration}",
            created=self.meta.created,
            command=self.meta.command,
            config=to_toml(self.config.evaluation()),
            seed=self.config.seed,
            versions={**self.meta.versions, "policy": str(policy.version)},
            kind="eval",
        )
