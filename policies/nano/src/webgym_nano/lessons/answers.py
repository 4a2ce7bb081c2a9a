"""Reduces an oracle's answer to the fewest words that its facts need, as written on the screen."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from webgym_hermetic.goal import End, Goal
from webgym_hermetic.site import Site
from webgym_hermetic.states import Snapshot, replay
from webgym_hermetic.worlds import world_of

from webgym.records.observation import TextLine

DONE = "Done"
"""The answer if there is nothing to report."""
_EDGES = " .,;:!?\"'()[]“”‘’"  # noqa: RUF001
_NOT_WORDS = re.compile(r"[^\w.$€£%]+")
_MOST_WORDS = 8
"""Maximum words of a piece taken from the screen."""

_TELLING = 2
"""Pieces of up to this many characters are too common to identify a line out of view."""
_WRAPPED = 3
"""Maximum lines that one piece may be wrapped over."""
_ONE_SCREEN = 180.0
"""Maximum vertical distance in pixels of lines that fit on one screen, at nano's viewport size."""

Holds = Callable[[str], bool]
"""Whether a fact holds with this answer."""


@dataclass(frozen=True, slots=True)
class Said:
    """An answer, and where the page shows it."""

    text: str
    visible: bool
    """Whether all of it is visible on the screen, or there is nothing to report."""
    at: TextLine | None = None
    """The line that shows its first piece, if it is visible."""
    away: TextLine | None = None
    """If it is not: an off-screen line with a missing piece, close enough to the other pieces."""


@dataclass(frozen=True, slots=True)
class _Piece:
    text: str
    line: TextLine | None
    """The line that shows it; None if no line of this page does."""


def shortest_answer(
    site: Site, goals: Sequence[Goal], snapshot: Snapshot, full: str, lines: Sequence[TextLine]
) -> Said:
    """Reduce an oracle's answer to the pieces that its facts depend on, each as spelt on the page if it is there."""
    world, state = world_of(site), replay(site, snapshot.events)

    def holder(goal: Goal, fact: str) -> Holds:
        return lambda answer: goal.holds(fact, End(world, state, snapshot.visits, answer))

    facts = [(goal.answer(world) or full, holder(goal, one.name)) for goal in goals for one in goal.facts(world)]
    pieces: dict[str, _Piece] = {}
    for words, holds in facts:
        if not holds("") and holds(full) and not holds(", ".join(pieces)):
            piece = _piece(words if holds(words) else full, holds, lines)
            pieces[piece.text] = piece
    text = ", ".join(pieces) or DONE
    if any(holds(full) != holds(text) for _, holds in facts):
        return Said(full, visible=False)
    found = [piece.line for piece in pieces.values() if piece.line is not None]
    if len(found) < len(pieces):
        return Said(text, visible=False)
    away = next((line for line in found if not line.shown), None)
    if away is None:
        return Said(text, visible=True, at=found[0] if found else None)
    return Said(text, visible=False, away=away if _fit_on_one_screen(found) else None)


def _piece(words: str, holds: Holds, lines: Sequence[TextLine]) -> _Piece:
    """Return the shortest sufficient words as spelt in a line, preferring visible lines and the oracle's own words."""
    fitting = [span for span in _spans(words) if holds(span)]
    shown, away = [line for line in lines if line.shown], [line for line in lines if not line.shown]
    # One or two characters occur in many places: off-screen, they may not be the right ones.
    telling = [span for span in fitting if len(span) > _TELLING]
    found = _quoted(fitting, shown) or _other_words(holds, shown) or _quoted(telling, away) or _other_words(holds, away)
    return found or _Piece(fitting[0] if fitting else words, None)


def _quoted(spans: Sequence[str], lines: Sequence[TextLine]) -> _Piece | None:
    """Return the first of these spans that a line contains."""
    joined = _joined(lines)
    for span in spans:
        for line, text in joined:
            if _folded(span) in _folded(text):
                return _Piece(_as_written(span, text), line)
    return None


def _other_words(holds: Holds, lines: Sequence[TextLine]) -> _Piece | None:
    """Return what a line says instead: another spelling of a date, a price with its currency sign."""
    written = (_Piece(span, line) for line in lines for span in _spans(line.text, _MOST_WORDS) if holds(span))
    found = min(written, key=lambda piece: len(piece.text), default=None)
    return found if found is None or found.line is None or found.line.shown or len(found.text) > _TELLING else None


def _fit_on_one_screen(lines: Sequence[TextLine]) -> bool:
    tops = [line.box.y for line in lines]
    return max(tops) - min(tops) < _ONE_SCREEN


def _joined(lines: Sequence[TextLine]) -> list[tuple[TextLine, str]]:
    """Each line alone, then each joined with the lines after it, as long texts are wrapped."""
    alone = [(line, line.text) for line in lines]
    return alone + [(line, " ".join(one.text for one in lines[at : at + _WRAPPED])) for at, line in enumerate(lines)]


def _as_written(text: str, spelt: str) -> str:
    """Return the same words in the spelling of the page."""
    folded = _folded(text)
    return next((span for span in _spans(spelt) if _folded(span) == folded), text)


def _spans(text: str, most: int | None = None) -> Iterator[str]:
    """Yield runs of its words, shortest first."""
    words = text.split()
    ends = range(1, min(len(words), most or len(words)) + 1)
    found = {
        " ".join(words[at : at + length]).strip(_EDGES) for length in ends for at in range(len(words) - length + 1)
    }
    return iter(sorted((span for span in found if span), key=lambda span: (len(span), span)))


def _folded(text: str) -> str:
    return f" {' '.join(word.strip('.') for word in _NOT_WORDS.sub(' ', text.lower()).split())} "
