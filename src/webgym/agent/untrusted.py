"""Text from pages and models, made fit for a prompt: it cannot pass for the prompt's own structure."""

from __future__ import annotations

import re

from webgym.llm.untrusted import storable, without_tags, without_tokens

__all__ = ["cut", "one_line", "quoted", "storable", "without_tags", "without_tokens"]

_SPACE = re.compile(r"[\s\x00-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]+")
_CUT = "…"


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
