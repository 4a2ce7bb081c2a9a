"""Custom tasks: any function that returns `Task` records.

webgym eval tasks.use=examples.own_task:tasks agent.use=oracle
"""

from collections.abc import Iterator

from webgym.records.task import FactGroup, Task
from webgym_hermetic.catalogue import site
from webgym_hermetic.tasks.generate import tasks_of


def tasks() -> Iterator[Task]:
    """Yield the first hermetic task of two shops."""
    for number in (6, 14):
        yield next(iter(tasks_of(site("shop", number))))


def on_the_open_web() -> Iterator[Task]:
    facts = FactGroup(1, "the opening hours", ("The answer names the opening hours on Sundays.",))
    yield Task("museum-1", "When is the museum open on Sundays?", "https://example.org/", (facts,))
