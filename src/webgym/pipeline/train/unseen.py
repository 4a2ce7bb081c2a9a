"""No website that is tested on may have been trained on."""

from __future__ import annotations

from collections.abc import Iterable

from webgym.errors import ConfigError, TrainingError
from webgym.records.task import Task
from webgym.store.rows import Row, site_of


def check_tasks(train: Iterable[Task], test: Iterable[Task]) -> None:
    """Before a run.

    Raises:
        ConfigError: Both have a website.
    """
    if both := {site_of(task.website) for task in train} & {site_of(task.website) for task in test}:
        raise ConfigError(
            f"{len(both)} websites are both trained and tested on, {min(both)} among them: choose other splits with "
            "tasks.split and evaluate.tasks.split"
        )


def check_rows(train: Iterable[Row], test: Iterable[Row]) -> None:
    """After the fact, as the store tells.

    Raises:
        TrainingError: Both have a website.
    """
    if both := {row.site for row in train} & {row.site for row in test}:
        raise TrainingError(f"{len(both)} websites were both trained and tested on, {min(both)} among them")
