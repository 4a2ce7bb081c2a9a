"""The suite of all attacks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice

from webgym.judge.attacks.answers import ConfidentAnswer, InstructionsInAnswer, RewrittenThoughts, UnseenAnswer
from webgym.judge.attacks.honest import AdversarialAttempt, Attack, Honest
from webgym.judge.attacks.pages import InstructionsInPage, SearchShortcut, UndoneSuccess

ATTACKS: tuple[Attack, ...] = (
    ConfidentAnswer(),
    RewrittenThoughts(),
    InstructionsInAnswer(),
    InstructionsInPage(),
    UndoneSuccess(),
    UnseenAnswer(),
    SearchShortcut(),
)


def attacks_from(
    honest: Sequence[Honest], most: int, attacks: Iterable[Attack] = ATTACKS
) -> Iterator[tuple[Attack, AdversarialAttempt]]:
    """Yield up to `most` instances of each attack, built from the attempts that it can be built from."""
    for attack in attacks:
        made = ((attack, found) for attempt in honest if (found := attack.made(attempt)) is not None)
        yield from islice(made, most)
