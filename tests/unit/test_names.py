"""Class names: a word means one thing, and a class is a thing. What is left of the past may only become less."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "src/webgym"
REPEATED = 6
"""Classes whose name another class had before them, one of two homonyms counted. Lower it when you rename one."""
PARTICIPLES = 13
"""Classes named for what was done instead of for what they are. Lower it when you rename one."""
IRREGULAR = frozenset(
    """Begun Bought Broken Brought Built Caught Chosen Cut Done Drawn Felt Found Given Gone Grown Heard Held Kept Known
    Laid Led Left Lost Made Meant Met Paid Put Said Seen Sent Shown Sold Spent Spoken Stolen Taken Thrown Told Won Worn
    Written Rewritten""".split()
)
NOUNS = frozenset("Feed Seed Speed Bed Need Shed".split())
"""Words in -ed that are no participles."""


@cache
def class_names() -> tuple[str, ...]:
    trees = (ast.parse(path.read_text("utf-8")) for path in sorted(SOURCES.rglob("*.py")))
    return tuple(node.name for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef))


def repeated(names: tuple[str, ...]) -> list[str]:
    """Return every name once for each class beyond the first that has it."""
    return sorted((Counter(names) - Counter(set(names))).elements())


def participles(names: tuple[str, ...]) -> list[str]:
    """Return the names of one word that are participles. `StillProcessor` and `TrainerDiedError` are nouns."""
    bare = {name: name.lstrip("_") for name in set(names)}
    return sorted(
        name
        for name, word in bare.items()
        if (re.fullmatch("[A-Z][a-z]+ed", word) or word in IRREGULAR) and word not in NOUNS
    )


def test_both_kinds_of_names_are_found():
    names = ("Said", "_Said", "Said", "Reply", "Reply", "Reply", "Speed", "Rejudged", "TrainerDiedError")
    assert repeated(names) == ["Reply", "Reply", "Said"]
    assert participles(names) == ["Rejudged", "Said", "_Said"]


def test_no_more_class_names_are_used_twice_than_before():
    found = repeated(class_names())
    assert len(found) <= REPEATED, f"{len(found)} classes share another's name: {Counter(found).most_common()}"


def test_no_more_classes_are_named_for_what_was_done_than_before():
    found = participles(class_names())
    assert len(found) <= PARTICIPLES, f"{len(found)}: {found}"
