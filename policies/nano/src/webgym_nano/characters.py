"""Nano's vocabulary: one token per character."""

from __future__ import annotations

import string

END_OF_TEXT = "<|endoftext|>"
"""Padding."""
END_OF_TURN = "<|im_end|>"
"""Ends a reply."""
SYSTEM = "<|system|>"
USER = "<|user|>"
ASSISTANT = "<|assistant|>"
VISION_START = "<|vision_start|>"
VISION_END = "<|vision_end|>"
IMAGE_PAD = "<|image_pad|>"
VIDEO_PAD = "<|video_pad|>"

SPECIAL = (END_OF_TEXT, END_OF_TURN, SYSTEM, USER, ASSISTANT, VISION_START, VISION_END, IMAGE_PAD, VIDEO_PAD)
"""In order of their ids. One per role: spelled out as in other models, a role would take nano eight tokens a turn."""

_PLAIN = "\n" + string.digits + string.ascii_letters + " " + string.punctuation
_ACCENTED = "".join(chr(code) for code in range(0xC0, 0x100) if code not in {0xD7, 0xF7})
_TYPOGRAPHIC = "“”‘’«»–—…·•×÷±°²³½¼¾€£¥¢©®™§→←↑↓✓✗★☆≤≥≈"  # noqa: RUF001 - that is the point

CHARACTERS = _PLAIN + _ACCENTED + _TYPOGRAPHIC
"""Characters with tokens of their own. Any other falls back to its bytes, so that no text is lost."""

BYTES = tuple(f"<0x{byte:02X}>" for byte in range(256))

LOCATIONS = tuple(f"<{cell:03d}>" for cell in range(112))
"""Location tokens: one for a column and one for a row name a cell, 4 pixels wide at 448 by 320."""

RESERVED = 27
"""Ids before the first location (of 592 in all), so that special tokens added later shift no other ids."""


def vocabulary() -> dict[str, int]:
    """Return every token with its id: special tokens, locations, characters, bytes."""
    special = [*SPECIAL, *(f"<|reserved_{number}|>" for number in range(len(SPECIAL), RESERVED))]
    return {token: number for number, token in enumerate([*special, *LOCATIONS, *CHARACTERS, *BYTES])}
