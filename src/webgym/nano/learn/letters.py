"""Where the letters of a line are, roughly: its box, shared out by how wide letters usually are.

No font is asked. Within a line the estimate is off by a few pixels, which is why what learns from it looks at the
neighbouring places too.
"""

from __future__ import annotations

from collections.abc import Iterator

from webgym.nano.config import NanoConfig
from webgym.records.base import Record

FIRST, LAST = "!", "~"
CLASSES = ord(LAST) - ord(FIRST) + 1
"""Printable ASCII; other letters are passed over."""
SLOT_WIDTH, SLOT_HEIGHT = 4, 8
"""Pixels of the places that letters are assigned to."""

_WIDTHS = {
    **dict.fromkeys("ijl|!'.,:;", 0.27),
    **dict.fromkeys(" I", 0.28),
    **dict.fromkeys('ftr()[]{}"/\\`-', 0.35),
    **dict.fromkeys("sczJkvxy", 0.5),
    **dict.fromkeys("ABEKPSVXY&", 0.67),
    **dict.fromkeys("CDGHNOQRU", 0.74),
    **dict.fromkeys("mwM%", 0.86),
    **dict.fromkeys("W@", 0.97),
}
_WIDTH = 0.56
_THIN, _FAT = 0.2, 0.85
"""Width of an average letter over the height of its line: outside of these, the box is not that of one line."""

Box = tuple[int, int, int, int]


class Letter(Record, frozen=True):
    """In a picture."""

    row: int
    column: int
    """Slots."""
    kind: int


def letters_of(text: str, box: Box, config: NanoConfig) -> Iterator[Letter]:
    """Those of a line that fills a box; none if it cannot be one line of text."""
    left, top, right, bottom = box
    widths = [_WIDTHS.get(letter, _WIDTH) for letter in text]
    total = sum(widths)
    if total == 0 or bottom <= top or right <= left:
        return
    if not _THIN <= (right - left) / len(text) / (bottom - top) <= _FAT:
        return
    row = (top + bottom) // 2 // SLOT_HEIGHT
    if not 0 <= row < config.height // SLOT_HEIGHT:
        return
    passed = 0.0
    for letter, width in zip(text, widths, strict=True):
        column = int(left + (passed + width / 2) / total * (right - left)) // SLOT_WIDTH
        passed += width
        if FIRST <= letter <= LAST and 0 <= column < config.width // SLOT_WIDTH:
            yield Letter(row, column, ord(letter) - ord(FIRST))
