"""The workload: prompts with screenshots, the lengths of their replies, and think times."""

from __future__ import annotations

import io
import random
from dataclasses import dataclass
from pathlib import Path

from PIL import Image, ImageDraw

from webgym.engine.preprocessing import Preprocessor
from webgym.engine.request import SamplingParams
from webgym.engine.sequence import PromptImage
from webgym.engine.wire import SampleOrder
from webgym.records.observation import address_of
from webgym.records.prompt import Message, Picture, Prompt, Text
from webgym_bench.delays import between
from webgym_bench.engine.conditions import Conditions

WIDTH, HEIGHT = 448, 320
_WORDS = "find the cheapest wool hat in size medium and tell me its price then open cart click search back".split()


@dataclass(frozen=True, slots=True)
class Piece:
    """One request."""

    ids: list[int]
    pictures: tuple[PromptImage, ...]
    tokens: int
    """Tokens of the reply."""
    think: float
    """Think time in seconds before the request."""


Work = tuple[tuple[Piece, ...], ...]
"""The requests of each client, in order."""


def make_work(conditions: Conditions, folder: Path, round_number: int) -> Work:
    """Build the workload of a round, deterministically. Screenshots differ between rounds."""
    preprocessor = Preprocessor(folder, 2**30)
    shown: list[bytes] = []

    def piece(client: int, number: int) -> Piece:
        key = (conditions.seed, round_number, client, number)
        if shown and between(0, 1, *key, "seen") < conditions.seen:
            picture = shown[int(between(0, len(shown), *key, "which"))]
        else:
            picture = screenshot(*key)
            shown.append(picture)
        ids, pictures = _prepared(preprocessor, picture, _text(conditions, key))
        tokens = min(conditions.most_tokens, max(1, round(conditions.tokens.seconds(*key, "tokens"))))
        return Piece(ids, pictures, tokens, conditions.think.seconds(*key, "think"))

    order = [(client, number) for number in range(conditions.requests) for client in range(conditions.prompts)]
    pieces = {place: piece(*place) for place in order}
    return tuple(
        tuple(pieces[client, number] for number in range(conditions.requests)) for client in range(conditions.prompts)
    )


def screenshot(*key: object) -> bytes:
    """Draw a page-like picture as JPEG."""
    rng = random.Random(repr(key))  # noqa: S311 - a picture
    image = Image.new("RGB", (WIDTH, HEIGHT), (250, 250, 248))
    draw = ImageDraw.Draw(image)
    for _ in range(24):
        left, top = rng.randrange(WIDTH), rng.randrange(HEIGHT)
        colour = (rng.randrange(256), rng.randrange(256), rng.randrange(256))
        draw.rectangle((left, top, left + rng.randrange(8, 120), top + rng.randrange(4, 30)), fill=colour)
        draw.text((left, top), rng.choice(_WORDS), fill=(20, 20, 20))
    out = io.BytesIO()
    image.save(out, "JPEG", quality=80)
    return out.getvalue()


def _text(conditions: Conditions, key: tuple[object, ...]) -> str:
    rng = random.Random(repr((*key, "words")))  # noqa: S311 - a prompt
    size = max(8, round(conditions.words.seconds(*key, "length")))
    text = ""
    while len(text) < size:
        text += rng.choice(_WORDS) + " "
    return text[:size]


def _prepared(preprocessor: Preprocessor, picture: bytes, text: str) -> tuple[list[int], tuple[PromptImage, ...]]:
    address = address_of(picture)
    message = Message("user", (Picture(address, WIDTH, HEIGHT), Text(text)))
    prepared = preprocessor.prepare(SampleOrder(0, Prompt((message,)), SamplingParams(), 0, {address: picture}))
    return prepared.ids, prepared.pictures
