"""Texts of lessons as nano's tokens, and location tokens."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from collections.abc import Sequence

from webgym_nano import characters
from webgym_nano.characters import vocabulary
from webgym_nano.config import NanoConfig
from webgym_nano.tokenizer import build_tokenizer


class Words:
    """Nano's tokenizer, with the ids that training needs."""

    def __init__(self) -> None:
        self._tokenizer = build_tokenizer()
        ids = vocabulary()
        self.size = len(ids)
        self.assistant = ids[characters.ASSISTANT]
        self.end = ids[characters.END_OF_TURN]
        self.pad = ids[characters.END_OF_TEXT]
        self.prefix = (ids[characters.USER], ids[characters.VISION_START])
        self.suffix = ids[characters.VISION_END]
        self.first_place = ids[characters.LOCATIONS[0]]
        """Id of the first location token; the others follow."""
        self.places = len(characters.LOCATIONS)

    def encode(self, texts: Sequence[str]) -> list[list[int]]:
        """Return the ids of each text."""
        return [found.ids for found in self._tokenizer.encode_batch_fast(list(texts), add_special_tokens=False)]

    def decode(self, ids: Sequence[int]) -> str:
        """Decode ids to text, including location tokens."""
        return self._tokenizer.decode(list(ids), skip_special_tokens=False)

    def cell(self, token: int) -> int | None:
        """Return the location that a token names; None if it is another token."""
        number = token - self.first_place
        return number if 0 <= number < self.places else None

    def side(self, config: NanoConfig) -> float:
        """Return the pixels per location token: all of them together span the longer side of the image."""
        return max(config.width, config.height) / self.places
