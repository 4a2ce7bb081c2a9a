"""What pages and models wrote, made fit for a prompt: it stays data, and cannot pass for the prompt's own structure."""

from __future__ import annotations

import re
from typing import Any, cast

import msgspec

# Tokenizers read these as structure wherever they stand, and trainers count them as pictures; <057> is a place.
_TOKENS = re.compile(r"<(?=\||/?(?:image|video|audio)\b|[0-9]{3}>)", re.IGNORECASE)
_TAGS = re.compile(r"<(?=/?(?:think|tools|tool_call|tool_response)\b)", re.IGNORECASE)
# What cannot be seen, turns text around, or begins a line; \n and \t are spelt out by JSON.
_HIDDEN = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]")
_TAG_LETTERS = re.compile("[\U000e0000-\U000e007f]")
_CUT = "…"


def without_tokens(text: str) -> str:
    """A model's own words, for a later prompt: special tokens are broken up."""
    return _TOKENS.sub("< ", text)


def without_tags(text: str) -> str:
    """The same, and no tag begins or ends a thought or a call either."""
    return _TAGS.sub("< ", without_tokens(text))


def storable(text: str) -> str:
    """Without halves of surrogate pairs, which JSON can spell and UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode("utf-8")


def data_line(value: Any, most: int = 4000) -> str:
    """Any value as one line of JSON, its strings cut to so many characters: nothing in it can end it."""
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
