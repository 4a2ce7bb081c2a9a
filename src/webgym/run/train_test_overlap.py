"""Check that training and evaluation share no website, or no task where an environment has splits of its own."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator

from webgym.errors import ConfigError, TrainingError
from webgym.records.task import Task
from webgym.store.rows import Row, place_of


def check_tasks(train: Iterable[Task], test: Iterable[Task]) -> None:
    """Check the tasks of a run before it starts.

    Raises:
        ConfigError: A website is in both sets.
    """
    both = _units(_places(train)) & _units(_places(test))
    if both:
        raise ConfigError(
            f"{len(both)} {_what(both)} are in both training and test tasks, such as {min(both)}: choose other splits "
            "with tasks.split and evaluate.tasks.split"
        )


def check_rows(train: Iterable[Row], test: Iterable[Row]) -> None:
    """Check the stored attempts of a run.

    Raises:
        TrainingError: A website is in both sets.
    """
    if both := _units((row.site, row.task_id) for row in train) & _units((row.site, row.task_id) for row in test):
        raise TrainingError(f"{len(both)} {_what(both)} were in both training and test tasks, such as {min(both)}")


def _places(tasks: Iterable[Task]) -> Iterator[tuple[str, str]]:
    return ((place_of(task), task.task_id) for task in tasks)


def _units(places: Iterable[tuple[str, str]]) -> set[str]:
    """Return what must not be in both sets, for these pairs of a site and a task id.

    Of a host it is the website. A place that an environment has named, without a dot, may be one application with tasks
    in both splits: there it is the task.
    """
    website = site_rule()
    return {website(site.rstrip(".")) if "." in site else f"{site}/{task_id}" for site, task_id in places}


def _what(both: set[str]) -> str:
    return "tasks" if any("/" in one for one in both) else "websites"


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
