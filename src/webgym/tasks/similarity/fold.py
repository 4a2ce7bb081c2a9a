"""Folds texts to what carries meaning: no case, punctuation or kinds of whitespace."""

from __future__ import annotations

from typing import Any

from webgym.tasks.arrow import compute


def folded(texts: Any) -> Any:
    """Fold a column to lower-case letters and digits with single spaces; a text without any is left as it is."""
    pc = compute()
    plain = pc.utf8_lower(pc.utf8_normalize(texts, form="NFKC"))
    words = pc.utf8_trim_whitespace(pc.replace_substring_regex(plain, r"[^\pL\pN]+", " "))
    return pc.if_else(pc.equal(words, ""), texts, words)
