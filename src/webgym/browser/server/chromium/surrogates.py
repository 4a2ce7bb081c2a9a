"""Halves of characters: pages that cut text in the middle of an emoji leave one, and JavaScript passes it on.

JSON has an escape for them, UTF-8 has no bytes: msgspec refuses to read the one and to write the other. They become
replacement characters here, as on the screen.
"""

from __future__ import annotations

import json
import re
from typing import TypeVar

import msgspec

T = TypeVar("T")

_encoder = msgspec.json.Encoder()
_HALF = re.compile("[\ud800-\udfff]")


def mended(text: str) -> str:
    """The text with every half replaced. Two that belong together are one character in Python, and stay."""
    return _HALF.sub("\ufffd", text)


def decode(decoder: msgspec.json.Decoder[T], message: bytes | str) -> T:
    """What the decoder makes of a message, halves replaced.

    Raises:
        msgspec.DecodeError: It is no JSON all the same, or, as a ValidationError, of another shape.
    """
    try:
        return decoder.decode(message)
    except msgspec.ValidationError:
        raise
    except (msgspec.DecodeError, UnicodeError) as error:
        return decoder.decode(_mended_json(message, error))


def encode(value: object) -> bytes:
    """The value as JSON, halves replaced. It holds nothing but what JSON knows, and tuples."""
    try:
        return _encoder.encode(value)
    except UnicodeError:
        return mended(json.dumps(value, ensure_ascii=False)).encode()


def _mended_json(message: bytes | str, refused: Exception) -> str:
    text = message if isinstance(message, str) else message.decode("utf-8", "replace")
    try:
        return mended(json.dumps(json.loads(text), ensure_ascii=False))
    except ValueError:
        raise msgspec.DecodeError(str(refused)) from refused
