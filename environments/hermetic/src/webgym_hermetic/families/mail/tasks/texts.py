"""Texts that tasks ask to be written."""

from __future__ import annotations

from functools import cache

from webgym_hermetic.kit.data import Table, read_table


class MailTexts(Table, frozen=True):
    """Texts that tasks ask to be written."""

    subjects: tuple[str, ...]
    bodies: tuple[str, ...]
    replies: tuple[str, ...]
    notes: tuple[str, ...]
    relayed: tuple[str, ...]
    events: tuple[str, ...]
    places: tuple[str, ...]
    away_subjects: tuple[str, ...]
    away_texts: tuple[str, ...]
    signatures: tuple[str, ...]
    rule_words: tuple[str, ...]
    firms: tuple[str, ...]


@cache
def mail_texts() -> MailTexts:
    return read_table(__name__, MailTexts)
