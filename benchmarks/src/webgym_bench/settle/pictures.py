"""Tells what has changed between two pictures of a page: whether it was unfinished, or something on it always moves."""

from __future__ import annotations

import enum
import io
from collections.abc import Sequence
from itertools import pairwise

from PIL import Image, ImageChops, ImageFilter

LEVEL = 24
"""Smaller differences of a colour channel are not visible, of 255."""
FEW_PIXELS = 8
"""Fewer differing pixels than this are rendering noise."""
_MARGIN = 17
"""Pixels around what moves that belong to it: a digit of a clock is not as wide as the next one. Odd."""


class Verdict(enum.StrEnum):
    """What a later picture says about the one that a step returned."""

    SAME = "same"
    UNFINISHED = "unfinished"
    """Something came, went or changed afterwards, and then stayed so."""
    PASSING = "passing"
    """What differs looks later as it did before the action: a notice that goes away, a button that glows."""
    MOVING = "moving"
    """Differs only where it keeps changing: an animation, a clock, a carousel, the caret."""


def opened(data: bytes) -> Image.Image:
    """Decode a picture."""
    return Image.open(io.BytesIO(data)).convert("RGB")


def difference(one: Image.Image, other: Image.Image) -> Image.Image:
    """Return a mask, white where the pictures visibly differ."""
    if one.size != other.size:
        return Image.new("L", one.size, 255)
    red, green, blue = ImageChops.difference(one, other).split()
    largest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return largest.point([255 * (level >= LEVEL) for level in range(256)])


def pixels(mask: Image.Image) -> int:
    """Return how many pixels of a mask are white."""
    return mask.histogram()[255]


def without_moving(mask: Image.Image, later: Sequence[Image.Image]) -> Image.Image:
    """Remove from a mask the places that also change between these later pictures."""
    for one, other in pairwise(later):
        moves = difference(one, other).filter(ImageFilter.MaxFilter(_MARGIN))
        mask = ImageChops.subtract(mask, moves)
    return mask


def verdict_on(before: Image.Image | None, shown: Image.Image, later: Sequence[Image.Image]) -> Verdict:
    """Compare the picture of a step with later ones, and with the page before the action, if there was one."""
    differs = difference(shown, later[0])
    if pixels(differs) < FEW_PIXELS:
        return Verdict.SAME
    stays = without_moving(differs, later)
    if pixels(stays) < FEW_PIXELS:
        return Verdict.MOVING
    if before is not None and pixels(ImageChops.multiply(stays, difference(before, later[-1]))) < FEW_PIXELS:
        return Verdict.PASSING
    return Verdict.UNFINISHED
