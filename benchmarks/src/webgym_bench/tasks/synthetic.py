"""Synthetic task sets with the size, skew and duplicates of published ones.

A third of the tasks is on 25 hosts, every other task on a website of its own. Instructions come from templates, as
generated tasks do; some are exact duplicates, some near duplicates.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random

from webgym.records.task import FactGroup
from webgym.records.task_row import Provenance, TaskRow
from webgym.tasks.sets import save_set, set_of

BIG_HOSTS = 25
_BIG_SHARE = 1 / 3
_EXACT_SHARE, _NEAR_SHARE = 0.05, 0.03
_VERBS = ("Find", "Compare", "Look up", "Check whether there is", "Tell me about", "List", "Work out", "Search for")
_THINGS = "recipe jacket flight hotel course article recording museum laptop apartment league policy".split()
_KINDS = "cheapest newest highest-rated nearest longest oldest quickest lightest".split()
_PLACES = "Boston Lisbon Osaka Nairobi Quito Leeds Tampere Perth Graz Porto Malmo Cork Utrecht Bergen Turin".split()
_DOMAINS = {
    "Shopping": ("Fashion", "Electronics", "Groceries", "Home"),
    "Travel": ("Flights", "Hotels", "Ground transport", "Attractions"),
    "Entertainment": ("Music", "Film", "Games", "Events"),
    "Lifestyle": ("Food", "Health", "Sports", "Pets"),
    "Knowledge": ("Science", "History", "Education", "Reference"),
    "Business": ("Finance", "Jobs", "Software", "Law"),
}
_WORDS = [
    f"{first}{middle}{last}"
    for first in "bri ka lo men ta ru sel vo".split()
    for middle in ("", "da", "mi", "no", "ret")
    for last in "dan fer lis mor nek pol".split()
]


def rows(count: int, seed: int) -> Iterator[TaskRow]:
    """Generate `count` tasks."""
    rng = Random(seed)  # noqa: S311  data to measure with
    told: list[tuple[str, str]] = []
    for number in range(count):
        chance = rng.random()
        if told and chance < _EXACT_SHARE + _NEAR_SHARE:
            host, text = rng.choice(told[-2000:])
            text = text if chance < _EXACT_SHARE else f"{text} Thank you very much."
        else:
            big = rng.random() < _BIG_SHARE
            host = f"www.big{rng.randrange(BIG_HOSTS)}.com" if big else f"www.{_word(rng)}-{number}.com"
            text = _text(rng)
            told.append((host, text))
        yield _row(rng, number, host, text)


def _row(rng: Random, number: int, host: str, text: str) -> TaskRow:
    domain = rng.choice(tuple(_DOMAINS))
    return TaskRow(
        task_id=str(number),
        instruction=text,
        website=f"https://{host}/",
        rubric=_rubric(rng),
        benchmark="PAE-WebVoyager" if "big" in host else "InSTA-v3",
        domain=domain,
        subdomain=rng.choice(_DOMAINS[domain]),
        provenance=Provenance("webgym", str(number), "train.jsonl", number + 1, "CDLA-Permissive-2.0"),
    )


def _text(rng: Random) -> str:
    verb, kind, thing = rng.choice(_VERBS), rng.choice(_KINDS), rng.choice(_THINGS)
    names = _words(rng, rng.randint(1, 3)).title()
    more = _words(rng, rng.randint(0, 14))
    start = f"{verb} the {kind} {thing} by {names} in {rng.choice(_PLACES)} under ${rng.randrange(5, 900)}"
    return f"{start} {more}".strip() + "."


def _rubric(rng: Random) -> tuple[FactGroup, ...]:
    """Return a rubric: 79% easy, 19% medium, 2% hard."""
    chance = rng.random()
    facts = rng.randint(1, 3) if chance < 0.787 else rng.randint(4, 6) if chance < 0.977 else rng.randint(7, 12)
    groups: list[FactGroup] = []
    while facts:
        size = rng.randint(1, min(facts, 4))
        told = tuple(f"The answer says that {_words(rng, 3)} is {_words(rng, 2)}." for _ in range(size))
        groups.append(FactGroup(len(groups) + 1, f"About {_words(rng, 4)}", told))
        facts -= size
    return tuple(groups)


def _words(rng: Random, count: int) -> str:
    return " ".join(_word(rng) for _ in range(count))


def _word(rng: Random) -> str:
    return rng.choice(_WORDS)


if __name__ == "__main__":
    save_set(set_of("synthetic", rows(int(sys.argv[2]), int(sys.argv[3]))), Path(sys.argv[1]))
