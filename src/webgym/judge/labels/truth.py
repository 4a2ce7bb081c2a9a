"""Ground truth from human labels, by majority vote; a tie leaves it unknown."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from webgym.records.label import Label
from webgym.store.labels import newest


@dataclass(frozen=True, slots=True)
class CombinedLabels:
    """The combined labels of one attempt."""

    success: bool | None = None
    """None if nobody labelled it, or the vote is tied."""
    blocked: bool = False
    facts: dict[tuple[int, int], bool] = field(default_factory=dict[tuple[int, int], bool])
    """Whether each fact holds, by group and fact index; facts without votes or with a tie are left out."""
    contradicted: frozenset[tuple[int, int]] = frozenset()
    """The facts that do not hold because something on the screen contradicts them."""
    people: int = 0


def said(labels: Iterable[Label]) -> dict[str, CombinedLabels]:
    """Combine labels into ground truth, by attempt id.

    A fact labelled contradicted or not shown does not hold. An attempt without a label on the whole fails if one of its
    facts does; it does not succeed merely because all labelled facts hold.
    """
    of: dict[str, list[Label]] = defaultdict(list)
    for label in newest(labels):
        of[label.attempt_id].append(label)
    return {attempt_id: _of_attempt(found) for attempt_id, found in of.items()}


def _of_attempt(labels: list[Label]) -> CombinedLabels:
    votes: dict[tuple[int, int], list[bool]] = defaultdict(list)
    against: set[tuple[int, int]] = set()
    whole: list[bool] = []
    blocked = 0
    for label in labels:
        match label.verdict:
            case "supported" | "contradicted" | "not_shown" if label.about is not None:
                where = label.about.group, label.about.fact
                votes[where].append(label.verdict == "supported")
                against |= {where} if label.verdict == "contradicted" else set()
            case "success" | "failure":
                whole.append(label.verdict == "success")
            case "blocked":
                blocked += 1
            case _:
                pass
    facts = {where: vote for where, found in votes.items() if (vote := _majority(found)) is not None}
    # A vote for blocked is a vote against both success and failure.
    success = None if blocked and blocked >= len(whole) else _majority(whole)
    if success is None and not whole and not blocked and not all(facts.values()):
        success = False
    shown = frozenset(where for where in against if facts.get(where) is False)
    return CombinedLabels(success, blocked > len(whole), facts, shown, len({label.who for label in labels}))


def _majority(votes: list[bool]) -> bool | None:
    count = Counter(votes)
    return None if count[True] == count[False] else count[True] > count[False]
