"""Sanitises text from pages and models, so that it cannot imitate the structure of a prompt."""

from __future__ import annotations

import re

from webgym.llm.untrusted import storable, without_hidden, without_tags, without_tokens

__all__ = ["cut", "one_line", "quoted", "storable", "without_tags", "without_tokens"]

_SPACE = re.compile(r"\s+")
_CUT = "…"


def one_line(text: str, most: int) -> str:
    """Return text on one line, of at most this many characters, without invisible ones."""
    line = without_tags(_SPACE.sub(" ", without_hidden(text[: 8 * most])).strip())
    return line if len(line) <= most else line[: most - 1].rstrip() + _CUT


def quoted(text: str, most: int) -> str:
    """Return text on one line in quotation marks that its content cannot close."""
    return '"' + one_line(text, most).replace('"', "'") + '"'


def cut(text: str, most: int) -> str:
    """Return at most this many characters, keeping line breaks."""
    text = without_tags(without_hidden(text).strip())
    return text if len(text) <= most else text[: most - 1].rstrip() + _CUT
