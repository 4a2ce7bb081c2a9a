"""No website that is tested on may have been trained on."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable

from webgym.errors import ConfigError, TrainingError
from webgym.records.task import Task
from webgym.store.rows import Row, site_of


def check_tasks(train: Iterable[Task], test: Iterable[Task]) -> None:
    """Before a run.

    Raises:
        ConfigError: Both have a website.
    """
    if both := _both((site_of(task.website) for task in train), (site_of(task.website) for task in test)):
        raise ConfigError(
            f"{len(both)} websites are both trained and tested on, {min(both)} among them: choose other splits with "
            "tasks.split and evaluate.tasks.split"
        )


def check_rows(train: Iterable[Row], test: Iterable[Row]) -> None:
    """After the fact, as the store tells.

    Raises:
        TrainingError: Both have a website.
    """
    if both := _both((row.site for row in train), (row.site for row in test)):
        raise TrainingError(f"{len(both)} websites were both trained and tested on, {min(both)} among them")


def _both(train: Iterable[str], test: Iterable[str]) -> set[str]:
    """Websites that have hosts among both."""
    site = site_rule()
    return {site(host.rstrip(".")) for host in train} & {site(host.rstrip(".")) for host in test}


@functools.cache
def site_rule() -> Callable[[str], str]:
    """What all hosts of a website have in common: its registered domain, which is what splits go by.

    Telling `example.co.uk` from `co.uk` takes a list that comes with the extra `tasks`. Without it only `www.` is known
    to mean nothing.
    """
    try:
        from webgym.tasks.websites import site_of_host  # noqa: PLC0415
    except ModuleNotFoundError:
        return lambda host: host.removeprefix("www.")
    return site_of_host
