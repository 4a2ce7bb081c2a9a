"""The facts of a task as the page gets them: the verdict that counts, and what people say of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from webgym.records.base import Record
from webgym.records.label import FactRef, Label
from webgym.records.task import Task
from webgym.records.verdict import Verdict
from webgym.store.labels import newest
from webgym.viewer.judge_view import fact_key


class LabelView(Record, frozen=True, omit_defaults=False):
    """What a person said."""

    verdict: str
    who: str
    when: float
    note: str
    shown: str
    """What the judge had said."""
    stands: bool
    """Whether the same person has said nothing newer about the same thing, nor taken it back."""


class FactView(Record, frozen=True, omit_defaults=False):
    """One fact of the rubric and the judge's word on it; None if it gave none."""

    key: str
    text: str
    holds: bool | None
    labels: tuple[LabelView, ...]
    """The oldest first."""


class GroupView(Record, frozen=True, omit_defaults=False):
    """Facts that belong together."""

    description: str
    facts: tuple[FactView, ...]


def rubric_of(
    task: Task, verdict: Verdict | None, said: Mapping[FactRef | None, tuple[LabelView, ...]]
) -> tuple[GroupView, ...]:
    """The facts of a task, each with the verdict that counts and what people said."""
    # What a judge could not tell neither holds nor does not.
    held = {(one.group, one.fact): one.holds for one in verdict.facts if one.found != "abstain"} if verdict else {}
    return tuple(
        GroupView(
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
    """By what they are about."""
    every = list(labels)
    standing = {id(label) for label in newest(every)}
    found: dict[FactRef | None, tuple[LabelView, ...]] = {}
    for one in every:
        shown = LabelView(one.verdict, one.who, one.when, one.note, one.overruled, id(one) in standing)
        found[one.about] = (*found.get(one.about, ()), shown)
    return found
