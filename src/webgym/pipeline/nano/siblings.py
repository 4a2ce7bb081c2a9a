"""Other questions about what an attempt has found: whoever knows the price of a hat can be asked for its weight."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import msgspec

from webgym.records.task import Task
from webgym.sites.errand import Errand
from webgym.sites.rng import Rng
from webgym.sites.site import Site
from webgym.sites.tasks.generate import task_from
from webgym.sites.worlds import world_of

_MOST_VALUES = 40
"""Of a field that says what is asked: one with more says what it is asked about."""
NO_SUCH = (LookupError, ValueError, AttributeError, TypeError, StopIteration, RuntimeError)
"""Errands are made for things that have what they ask for; what they do otherwise is not said anywhere. (A `next` that
finds nothing is a RuntimeError where a generator asks for it.)"""


def siblings(site: Site, errands: Sequence[Errand], drawn: Sequence[Errand], rng: Rng) -> Iterator[Task]:
    """Tasks that are like one of these errands but for one field, which is as in another of its kind.

    Whether the answer is where the errand's is remains to be seen, and whether there is one.

    Args:
        site: Where they are run.
        errands: Of an attempt's task.
        drawn: Errands of other tasks of the site: what their fields hold makes sense on it.
        rng: Decides about the order.
    """
    world = world_of(site)
    likely = [other for errand in errands if errand.answer(world) for other in _variants(errand, drawn)]
    for number, errand in enumerate(rng.shuffled(likely)):
        try:
            yield task_from(site, f"{site.name}-sibling-{number}", "sibling", (errand,))
        except NO_SUCH:
            continue


def _variants(errand: Errand, drawn: Sequence[Errand]) -> Iterator[Errand]:
    alike = [other for other in drawn if type(other) is type(errand)]
    for name in errand.__struct_fields__:
        own = getattr(errand, name)
        if not _is_plain(own):
            continue
        values: set[Any] = {getattr(other, name) for other in alike if _is_plain(getattr(other, name))}
        values.discard(own)
        if len(values) <= _MOST_VALUES:
            yield from (msgspec.structs.replace(errand, **{name: value}) for value in sorted(values, key=str))


def _is_plain(value: object) -> bool:
    return isinstance(value, (str, tuple))
