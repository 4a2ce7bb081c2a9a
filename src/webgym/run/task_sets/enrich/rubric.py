"""Validation of model-written rubrics: atomic facts, no overlap, nothing invented."""

from __future__ import annotations

import re
from collections.abc import Sequence

import msgspec

from webgym.records.task import FactGroup
from webgym.run.task_sets.writing.structured import Unusable
from webgym.tasks.decompose.alike import plain

MOST_GROUPS = 20
MOST_FACTS = 60
LONGEST_FACT = 400
_ALIKE = 0.9
"""Share of common words from which on two facts overlap."""
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_QUOTED = re.compile(r'["“”«»]([^"“”«»]{2,})["“”«»]')
_HOST = re.compile(r"\b(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|io|co|uk|de|fr|eu)\b", re.IGNORECASE)
_WORDS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_ORDINALS = ("", "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")
_ONCE = {"a", "an", "single", "both", "pair", "couple"}


class WrittenGroup(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fact group as written by a model."""

    description: str
    facts: list[str]


def rubric_of(written: Sequence[WrittenGroup], given: str) -> tuple[FactGroup, ...]:
    """Validate a rubric. `given` is everything the model was told about the task.

    Raises:
        Unusable: The rubric breaks a rule.
    """
    groups = tuple(
        FactGroup(number, _one_line(group.description), tuple(map(_one_line, group.facts)))
        for number, group in enumerate(written, start=1)
    )
    facts = [fact for group in groups for fact in group.facts]
    _check_size(groups, facts)
    _check_overlap(facts)
    for text in (*facts, *(group.description for group in groups)):
        _check_invention(text, given)
    return groups


def _check_size(groups: Sequence[FactGroup], facts: Sequence[str]) -> None:
    if not groups:
        raise Unusable("the rubric has no groups")
    empty = next((group.id for group in groups if not group.facts or not all(group.facts)), None)
    if empty is not None:
        raise Unusable(f"group {empty} of the rubric has no facts, or an empty one")
    if not all(group.description for group in groups):
        raise Unusable("a group of the rubric has no description")
    if len(groups) > MOST_GROUPS or len(facts) > MOST_FACTS:
        raise Unusable(f"the rubric has {len(groups)} groups and {len(facts)} facts: no task needs so many")
    long = next((fact for fact in facts if len(fact) > LONGEST_FACT), None)
    if long is not None:
        raise Unusable(f"the fact {long[:60]!r}… is too long to be atomic: at most {LONGEST_FACT} characters")


def _check_overlap(facts: Sequence[str]) -> None:
    words = [frozenset(plain(fact).split()) for fact in facts]
    for later in range(len(facts)):
        for earlier in range(later):
            shared, either = len(words[later] & words[earlier]), len(words[later] | words[earlier])
            same = words[later] == words[earlier]
            # Facts that differ only in a number are distinct; short ones fall below the share if one word differs.
            if same or (shared >= _ALIKE * either and not _numbers_differ(facts[later], facts[earlier])):
                raise Unusable(f"two facts overlap: {facts[earlier]!r} and {facts[later]!r}")


def _numbers_differ(one: str, other: str) -> bool:
    return _NUMBER.findall(one) != _NUMBER.findall(other)


def _check_invention(text: str, given: str) -> None:
    known = given.casefold()
    numbers = {_bare(number) for number in _NUMBER.findall(known)}
    words = set(plain(given).split())
    for number in _NUMBER.findall(text):
        if _bare(number) not in numbers and not _in_words(number, words):
            raise Unusable(f"{text!r} has the number {number}, which the task does not have as written")
    for quoted in _QUOTED.findall(text):
        if plain(quoted) not in plain(given):
            raise Unusable(f"{text!r} quotes {quoted!r}, which the task does not say")
    for host in _HOST.findall(text):
        if host.casefold() not in known:
            raise Unusable(f"{text!r} names {host}, which the task does not")


def _bare(number: str) -> str:
    """Normalize a number: `1,200.00` equals `1200`, and `05` equals `5`."""
    whole = re.sub(r"[.,](\d{1,2})$", lambda cents: "" if not int(cents[1]) else f".{cents[1]}", number)
    return re.sub(r"(?<=\d),(?=\d{3})", "", whole).lstrip("0") or "0"


def _in_words(number: str, words: set[str]) -> bool:
    if not number.isdecimal() or int(number) >= len(_WORDS):
        return False
    value = int(number)
    said = {_WORDS[value], *(_ORDINALS[value : value + 1])} | (_ONCE if value in {1, 2} else set[str]())
    return bool(said & words)


def _one_line(text: str) -> str:
    return " ".join(text.split())
