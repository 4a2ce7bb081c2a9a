"""Lone surrogates: pages that cut text in the middle of an emoji produce them, and JavaScript passes them on.

JSON can escape them but UTF-8 cannot encode them, so msgspec neither decodes nor encodes them. Here they become
replacement characters, as on the screen.
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
    """Replace every lone surrogate in a text. Proper pairs are single characters in Python, and stay."""
    return _HALF.sub("\ufffd", text)


def decode(decoder: msgspec.json.Decoder[T], message: bytes | str) -> T:
    """Decode a message, replacing lone surrogates.

    Raises:
        msgspec.DecodeError: It is not valid JSON, or, as a ValidationError, of another type.
    """
    try:
        return decoder.decode(message)
    except msgspec.ValidationError:
        raise
    except RecursionError as error:
        raise msgspec.DecodeError(str(error)) from error
    except (msgspec.DecodeError, UnicodeError) as error:
        return decoder.decode(_mended_json(message, error))


def encode(value: object) -> bytes:
    """Encode a value as JSON, replacing lone surrogates. It may contain only JSON types and tuples."""
    try:
        return _encoder.encode(value)
    except UnicodeError:
        return mended(json.dumps(value, ensure_ascii=False)).encode()


def _mended_json(message: bytes | str, refused: Exception) -> str:
    text = message if isinstance(message, str) else message.decode("utf-8", "replace")
    try:
        return mended(json.dumps(json.loads(text), ensure_ascii=False))
    except (ValueError, RecursionError):
        raise msgspec.DecodeError(str(refused)) from refused
