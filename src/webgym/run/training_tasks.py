"""The tasks of a training run, drawn and checked before the run is created."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import anyio.to_thread

from webgym.records.task import Task
from webgym.run.algorithms import check_algorithms
from webgym.run.attempt_resources import environment_of
from webgym.run.checks import check_cast, check_conditions
from webgym.run.folders import Folders
from webgym.run.initial_model import check_model
from webgym.run.kept_tasks import TASKS_FILE, TESTS_FILE, drawn_once, keep_drawn
from webgym.run.progress import ProgressListener
from webgym.run.train_config import TrainConfig
from webgym.run.train_test_overlap import check_tasks
from webgym.run.trainer import check_trainer
from webgym.stages import Environment


@dataclass(frozen=True, slots=True)
class TrainingTasks:
    """What is trained on, what is tested on, and where both take place."""

    environment: Environment
    tasks: Sequence[Task]
    tests: Sequence[Task]

    def keep(self, config: TrainConfig, folders: Folders) -> None:
        """Keep what was drawn with the run, so that a resume draws the same."""
        keep_drawn(folders.run / TASKS_FILE, config.tasks, self.tasks)
        keep_drawn(folders.run / TESTS_FILE, config.evaluate.tasks, self.tests)


async def drawn_for_training(
    config: TrainConfig, folders: Folders, progress: ProgressListener, *, is_new: bool
) -> TrainingTasks:
    """Draw the tasks of a run, and check everything that can be checked before a new run is created.

    Raises:
        ConfigError: The run is not possible as configured.
    """
    environment, say = environment_of(config), progress.on_message
    tasks = drawn_once(config.tasks, config.seed, folders.run / TASKS_FILE, say, environment)
    tests = drawn_once(config.evaluate.tasks, config.seed, folders.run / TESTS_FILE, say, environment)
    check_tasks(tasks, tests)
    await anyio.to_thread.run_sync(check_algorithms, config.train.whole())
    await check_conditions(config, environment, [*tasks, *tests])
    if is_new:
        await check_training_names(config)
    return TrainingTasks(environment, tasks, tests)


async def check_training_names(config: TrainConfig) -> None:
    """Check the names in the configuration before the run is created."""
    await check_trainer(config)
    check_cast(config)
    await anyio.to_thread.run_sync(check_model, config)
