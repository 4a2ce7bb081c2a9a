"""Texts without what does not change their meaning: case, punctuation, kinds of spaces."""

from __future__ import annotations

from typing import Any

from webgym.tasks.arrow import compute


def folded(texts: Any) -> Any:
    """A column of texts: lower case, only letters and digits, single spaces. One that has none is left as it is."""
    pc = compute()
    plain = pc.utf8_lower(pc.utf8_normalize(texts, form="NFKC"))
    words = pc.utf8_trim_whitespace(pc.replace_substring_regex(plain, r"[^\pL\pN]+", " "))
    return pc.if_else(pc.equal(words, ""), texts, words)
