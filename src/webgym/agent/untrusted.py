"""Text from pages and models, made fit for a prompt: it cannot pass for the prompt's own structure."""

from __future__ import annotations

import re

_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+")
# Tokenizers read these as structure wherever they stand, and trainers count them as pictures; <057> is a place.
_TOKENS = re.compile(r"<(?=\||/?(?:image|video|audio)\b|[0-9]{3}>)", re.IGNORECASE)
_TAGS = re.compile(r"<(?=/?(?:think|tools|tool_call|tool_response)\b)", re.IGNORECASE)
_CUT = "…"


def without_tokens(text: str) -> str:
    """A model's own words, for a later prompt: special tokens are broken up."""
    return _TOKENS.sub("< ", text)


def without_tags(text: str) -> str:
    """The same, and no tag begins or ends a thought or a call either."""
    return _TAGS.sub("< ", without_tokens(text))


def one_line(text: str, most: int) -> str:
    """On one line, of at most this many characters, with nothing invisible in it."""
    line = without_tags(_SPACE.sub(" ", text[: 8 * most]).strip())
    return line if len(line) <= most else line[: most - 1].rstrip() + _CUT


def quoted(text: str, most: int) -> str:
    """One line between quotation marks that its content cannot close."""
    return '"' + one_line(text, most).replace('"', "'") + '"'


def cut(text: str, most: int) -> str:
    """At most this many characters, the line breaks kept."""
    text = without_tags(text.strip())
    return text if len(text) <= most else text[: most - 1].rstrip() + _CUT


def storable(text: str) -> str:
    """Without halves of surrogate pairs, which JSON can spell and UTF-8 cannot."""
    return text.encode("utf-8", "replace").decode("utf-8")
