"""The label status of attempts: whether people overrule the judge or disagree."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from webgym.records.base import Record
from webgym.records.label import FactRef, Label
from webgym.store.labels import newest

LABELLED, OVERRULED, DISAGREE, UNLABELLED = "labelled", "overruled", "disagree", "unlabelled"
TAGS = (LABELLED, OVERRULED, DISAGREE, UNLABELLED)
"""Label statuses that lists can be filtered by."""

_WORTH: dict[str, str] = {
    "supported": "holds",
    "contradicted": "misses",
    "not_shown": "misses",
    "success": "1",
    "failure": "0",
    "truncated": "0",
    "blocked": "none",
}
"""What each verdict means for grading. Verdicts with the same meaning do not contradict each other."""


class LabelSummary(Record, frozen=True, omit_defaults=False):
    """Current labels of one attempt, summarised."""

    whole: tuple[str, ...]
    """Distinct verdicts on the whole attempt."""
    overruled: bool
    """Whether one of these overrules the judge."""
    facts: int
    """Number of facts on which the judge is overruled."""
    people: tuple[str, ...]
    tags: tuple[str, ...]


NOBODY = LabelSummary((), False, 0, (), (UNLABELLED,))


def overrules(word: str, shown: str) -> bool:
    """Return whether a label overrules the judge's finding that was shown.

    A definite label overrules an undecided judge. Being unsure overrules nothing, and without a finding there is
    nothing to overrule.
    """
    return word in _WORTH and shown != "" and _WORTH[word] != _WORTH.get(shown)


def standing(labels: Iterable[Label], differing: Iterable[str] = ()) -> dict[str, LabelSummary]:
    """Return the label status of attempts, by their id. `differing` are attempts on which judges differ."""
    of: dict[str, list[Label]] = defaultdict(list)
    for label in newest(labels):
        of[label.attempt_id].append(label)
    found = {attempt_id: _standing(said) for attempt_id, said in of.items()}
    for attempt_id in differing:
        before = found.get(attempt_id, NOBODY)
        if DISAGREE not in before.tags:
            tags = (*before.tags, DISAGREE)
            found[attempt_id] = LabelSummary(before.whole, before.overruled, before.facts, before.people, tags)
    return found


def _standing(labels: Sequence[Label]) -> LabelSummary:
    things: dict[FactRef | None, list[Label]] = defaultdict(list)
    for label in labels:
        things[label.about].append(label)
    overruled = {
        about for about, said in things.items() if any(overrules(label.verdict, label.overruled) for label in said)
    }
    tags = [LABELLED]
    if overruled:
        tags.append(OVERRULED)
    if any(len({_WORTH[label.verdict] for label in said if label.verdict in _WORTH}) > 1 for said in things.values()):
        tags.append(DISAGREE)
    return LabelSummary(
        tuple(dict.fromkeys(thing.verdict for thing in things[None])) if None in things else (),
        None in overruled,
        len(overruled - {None}),
        tuple(dict.fromkeys(label.who for label in labels)),
        tuple(tags),
    )
