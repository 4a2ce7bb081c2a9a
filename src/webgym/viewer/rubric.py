"""The facts of a task as sent to the page: with the verdict that counts, and human labels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from webgym.records.base import Record
from webgym.records.label import FactRef, Label
from webgym.records.task import Task
from webgym.records.verdict import Verdict
from webgym.store.labels import newest
from webgym.viewer.judge_view import fact_key


class LabelView(Record, frozen=True, omit_defaults=False):
    """A human label."""

    verdict: str
    who: str
    when: float
    note: str
    shown: str
    """The judge's finding at the time."""
    stands: bool
    """Whether it is current: the same person has neither replaced nor withdrawn it."""


class FactView(Record, frozen=True, omit_defaults=False):
    """One fact of the rubric; `holds` is None if the judge reached no verdict on it."""

    key: str
    text: str
    holds: bool | None
    labels: tuple[LabelView, ...]
    """Oldest first."""


class FactGroupView(Record, frozen=True, omit_defaults=False):
    """A group of related facts."""

    description: str
    facts: tuple[FactView, ...]


def rubric_of(
    task: Task, verdict: Verdict | None, said: Mapping[FactRef | None, tuple[LabelView, ...]]
) -> tuple[FactGroupView, ...]:
    """Return the facts of a task, each with the verdict that counts and its labels."""
    # Abstentions are neither true nor false.
    held = {(fact.group, fact.fact): fact.holds for fact in verdict.facts if fact.found != "abstain"} if verdict else {}
    return tuple(
        FactGroupView(
            group.description,
            tuple(
                FactView(
                    fact_key(group.id, index), text, held.get((group.id, index)), said.get(FactRef(group.id, index), ())
                )
                for index, text in enumerate(group.facts)
            ),
        )
        for group in task.rubric
    )


def labels_of(labels: Iterable[Label]) -> dict[FactRef | None, tuple[LabelView, ...]]:
    """Group labels by the fact they are about; None for the whole attempt."""
    every = list(labels)
    standing = {id(label) for label in newest(every)}
    found: dict[FactRef | None, tuple[LabelView, ...]] = {}
    for group in every:
        shown = LabelView(group.verdict, group.who, group.when, group.note, group.overruled, id(group) in standing)
        found[group.about] = (*found.get(group.about, ()), shown)
    return found
