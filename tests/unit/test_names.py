"""Class names: a word means one thing, and a class is a thing."""

from __future__ import annotations

import ast
import re
from collections import Counter
from functools import cache
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "src/webgym"
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


def test_no_two_classes_share_a_name():
    assert repeated(class_names()) == []


def test_no_class_is_named_for_what_was_done():
    assert participles(class_names()) == []
