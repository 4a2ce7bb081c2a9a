"""Sentences that people of every community write."""

from __future__ import annotations

from functools import cache

from webgym_hermetic.kit.data import Table, read_table


class Phrases(Table, frozen=True):
    """Sentences that people of every community write."""

    fillers: tuple[str, ...]
    ask: tuple[str, ...]
    worry: tuple[str, ...]
    figure: tuple[str, ...]
    blame: tuple[str, ...]
    solved: tuple[str, ...]
    sell: tuple[str, ...]
    conditions: tuple[str, ...]
    offer: tuple[str, ...]
    sale_chat: tuple[str, ...]
    show: tuple[str, ...]
    praise: tuple[str, ...]
    chat: tuple[tuple[str, str], ...]
    monthly: tuple[str, ...]
    monthly_text: tuple[str, ...]
    chatty: tuple[str, ...]
    notice: tuple[str, ...]
    letters: tuple[tuple[str, ...], ...]
    letter_chat: tuple[str, ...]


@cache
def phrases() -> Phrases:
    return read_table(__name__, Phrases)
