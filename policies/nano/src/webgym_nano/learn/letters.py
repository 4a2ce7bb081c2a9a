"""Approximate positions of the letters of a line: its box, divided in proportion to typical letter widths.

No font metrics are used. Within a line the estimate is off by a few pixels, so the loss accepts neighbouring slots
too.
"""

from __future__ import annotations

from collections.abc import Iterator

from webgym.records.base import Record
from webgym_nano.config import NanoConfig

FIRST, LAST = "!", "~"
CLASSES = ord(LAST) - ord(FIRST) + 1
"""Printable ASCII; other characters are skipped."""
SLOT_WIDTH, SLOT_HEIGHT = 4, 8
"""Size in pixels of the slots that letters are assigned to."""

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
"""Bounds on average letter width over line height: outside of them, the box is not that of a single line."""

Box = tuple[int, int, int, int]


class Letter(Record, frozen=True):
    """A letter in an image."""

    row: int
    column: int
    """Row and column are in slots."""
    kind: int


def letters_of(text: str, box: Box, config: NanoConfig) -> Iterator[Letter]:
    """Yield the letters of a line that fills a box; none if it cannot be a single line of text."""
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
