"""Check that training and evaluation share no website."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable

from webgym.errors import ConfigError, TrainingError
from webgym.records.task import Task
from webgym.store.rows import Row, place_of


def check_tasks(train: Iterable[Task], test: Iterable[Task]) -> None:
    """Check the tasks of a run before it starts.

    Raises:
        ConfigError: A website is in both sets.
    """
    if both := _both(map(place_of, train), map(place_of, test)):
        raise ConfigError(
            f"{len(both)} websites are in both training and test tasks, such as {min(both)}: choose other splits with "
            "tasks.split and evaluate.tasks.split"
        )


def check_rows(train: Iterable[Row], test: Iterable[Row]) -> None:
    """Check the stored attempts of a run.

    Raises:
        TrainingError: A website is in both sets.
    """
    if both := _both((row.site for row in train), (row.site for row in test)):
        raise TrainingError(f"{len(both)} websites were in both training and test tasks, such as {min(both)}")


def _both(train: Iterable[str], test: Iterable[str]) -> set[str]:
    """Return the websites with hosts in both sets."""
    site = site_rule()
    return {site(host.rstrip(".")) for host in train} & {site(host.rstrip(".")) for host in test}


@functools.cache
def site_rule() -> Callable[[str], str]:
    """Return a function from host to website: its registered domain, the unit of train and test splits.

    Registered domains need the public suffix list, which comes with the extra `tasks`. Without it only a leading `www.`
    is removed.
    """
    try:
        from webgym.tasks.websites import site_of_host  # noqa: PLC0415
    except ModuleNotFoundError:
        return lambda host: host.removeprefix("www.")
    return site_of_host
