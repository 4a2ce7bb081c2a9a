"""Names and words that worlds are made of."""

from __future__ import annotations

from functools import cache

from webgym_hermetic.kit.data import Table, read_table


class MailWords(Table, frozen=True):
    """Names and words that worlds are made of."""

    first_names: tuple[str, ...]
    last_names: tuple[str, ...]
    employers: tuple[str, ...]
    clients: tuple[str, ...]
    jobs: tuple[str, ...]
    services: tuple[tuple[str, str], ...]
    kin: tuple[str, ...]
    cities: tuple[str, ...]
    area_codes: tuple[str, ...]
    streets: tuple[str, ...]
    rooms: tuple[str, ...]
    shops: tuple[tuple[str, tuple[str, ...]], ...]
    carriers: tuple[str, ...]
    airlines: tuple[tuple[str, str], ...]
    hotels: tuple[str, ...]
    banks: tuple[str, ...]
    utilities: tuple[tuple[str, str], ...]
    subscriptions: tuple[tuple[str, str], ...]
    newsletters: tuple[tuple[str, str, tuple[str, ...]], ...]
    projects: tuple[str, ...]
    meetings: tuple[str, ...]
    places_to_eat: tuple[str, ...]
    shows: tuple[tuple[str, str], ...]
    labels: tuple[str, ...]


@cache
def mail_words() -> MailWords:
    return read_table(__name__, MailWords)


WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
