"""Sanitizing of text from pages and models for prompts, so that it cannot pass for the prompt's own structure."""

from __future__ import annotations

import re
from typing import Any, cast

import msgspec

# Tokenizers parse these as special tokens anywhere, and trainers count image tokens; <057> is a coordinate token.
_TOKENS = re.compile(r"<(?=\||/?(?:image|video|audio)\b|[0-9]{3}>)", re.IGNORECASE)
_TAGS = re.compile(r"<(?=/?(?:think|tools|tool_call|tool_response)\b)", re.IGNORECASE)
# Invisible characters, bidirectional controls and line separators; \n and \t are escaped by JSON.
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_TAG_LETTERS = re.compile("[\U000e0000-\U000e007f]")
_CUT = "…"


def without_tokens(text: str) -> str:
    """Break up special tokens in a model's own text, for use in a later prompt."""
    return _TOKENS.sub("< ", text)


def without_tags(text: str) -> str:
    """Like `without_tokens`, and also break up tags of thoughts and tool calls."""
    return _TAGS.sub("< ", without_tokens(text))


def storable(text: str) -> str:
    """Replace lone surrogates, which JSON can express and UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode("utf-8")


def data_line(value: Any, most: int = 4000) -> str:
    """Encode a value as one line of sanitized JSON, with strings truncated to `most` characters."""
    return msgspec.json.encode(_cleaned(msgspec.to_builtins(value), most)).decode()


def _cleaned(value: Any, most: int) -> Any:
    match value:
        case str():
            return _clean(value, most)
        case list():
            return [_cleaned(one, most) for one in cast("list[Any]", value)]
        case dict():
            return {_clean(str(k), most): _cleaned(v, most) for k, v in cast("dict[Any, Any]", value).items()}
        case _:
            return value


def _clean(text: str, most: int) -> str:
    text = _TAG_LETTERS.sub("", _HIDDEN.sub(" ", storable(text[: 2 * most])))
    text = without_tags(text)
    return text if len(text) <= most else text[: most - 1].rstrip() + _CUT
