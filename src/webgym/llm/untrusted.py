"""Sanitizing of text from pages and models for prompts, so that it cannot pass for the prompt's own structure."""

from __future__ import annotations

import re
from typing import Any, cast
from unicodedata import category

import msgspec

# Tokenizers parse control tokens anywhere in a text. No list of them is complete, but they look alike: they have bars,
# underscores, numbers or letters that no HTML element has, or are one of a few words. What looks like HTML or like a
# footnote stays. Lengths are bounded, so that no text takes long.
_BARS = "|\u00a6\u01c0\u2016\u2223\u2502\u2758\ufe31\uff5c"
_OURS = "think|tools|tool_call|tool_response"
"""Tags of our own dialects, which a model's own text keeps."""
_WORDS = (
    "s|bos|eos|bot|eot|bom|eom|boi|eoi|eoh|eoa|eod|sop|eop|pad|unk|cls|sep|[gs]?mask|sys|inst|ai|img|ref|box|quad"
    "|endoftext|global-img"
)
_TOKENS = re.compile(
    rf"""
    <(?= [{_BARS}]                                               # <|im_end|>
       | /?(?:image|video|audio)\b
       | /?(?!(?:{_OURS})>) (?:
           (?:{_WORDS})                                          # </s>, <pad>
         | (?=[a-z0-9:.-]{{0,80}}_) [\w:.-]{{1,80}}               # <start_of_turn>
         | (?=[!-;=?-~]{{0,80}}[^\x00-\x7f<>]) [^<>\s]{{1,80}}    # letters of other scripts
         | [a-z]{{1,40}}[0-9]{{2,20}}                              # <unused99>, <loc0001>
         | 0x[0-9a-f]{{2}} | [0-9]{{3}}                            # <0x0A>; <057> is a coordinate
         )>
       | </?\w{{1,40}}>>                                          # <<SYS>>
    )
    | \[(?= /?(?:
           (?:inst|img|think|args|prefix|suffix|middle|cls|sep|pad|unk|bos|eos|[gs]?mask|sop|eop|sys)
         | (?=[a-z0-9]{{1,40}}_) \w{{1,80}}                       # [TOOL_CALLS]
         | unused[0-9]{{1,20}}
         )\])
    | >(?= >[a-z]{{1,40}}<<)                                      # >>QUESTION<<
    """,
    re.IGNORECASE | re.VERBOSE,
)
_TAGS = re.compile(rf"<(?=/?(?:{_OURS})\b)", re.IGNORECASE)
_HIDDEN_KINDS = frozenset({"Cc", "Cf", "Cs", "Zl", "Zp"})
"""Controls, invisible and bidirectional formatting, line separators."""
_TAG_LETTERS = re.compile("[\U000e0000-\U000e007f]")
_CUT = "…"


def without_tokens(text: str) -> str:
    """Break up special tokens in a model's own text, for use in a later prompt."""
    return _TOKENS.sub(_apart, text)


def without_tags(text: str) -> str:
    """Like `without_tokens`, and also break up tags of thoughts and tool calls."""
    return _TAGS.sub(_apart, without_tokens(text))


def _apart(opening: re.Match[str]) -> str:
    return opening[0] + " "


def without_hidden(text: str) -> str:
    """Replace characters that nobody sees, except for line breaks and tabs, by spaces."""
    if text.isprintable():
        return text
    visible = _TAG_LETTERS.sub("", text)
    return "".join(
        " " if character not in "\n\t" and category(character) in _HIDDEN_KINDS else character for character in visible
    )


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
            return [_cleaned(item, most) for item in cast("list[Any]", value)]
        case dict():
            return {_clean(str(k), most): _cleaned(v, most) for k, v in cast("dict[Any, Any]", value).items()}
        case _:
            return value


def _clean(text: str, most: int) -> str:
    text = without_tags(without_hidden(storable(text[: 2 * most])))
    return text if len(text) <= most else text[: most - 1].rstrip() + _CUT
