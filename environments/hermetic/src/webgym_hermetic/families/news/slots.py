"""Slots of patterns: drawn once, kept plainly, shown in words."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import Literal

from webgym.rng import Rng
from webgym_hermetic.families.news.people import person

Lists = Mapping[str, tuple[str, ...]]
Answer = Literal["number", "text", "date"]


def draw(spec: str, rng: Rng, lists: Lists, published: str) -> str:
    """A plain value for a slot: `12000`, `2026-03-14`, `Mill Bridge`. `same` and `last` slots stay empty."""
    kind, *args = spec.split()
    match kind:
        case "number" | "money" | "price" | "year" | "percent":
            low, high, step = int(args[0]), int(args[1]), int(args[2]) if len(args) > 2 else 1
            return str(low + step * rng.below((high - low) // step + 1))
        case "million" | "percent1":
            return f"{rng.between(int(args[0]) * 10, int(args[1]) * 10) / 10:.1f}"
        case "date":
            days = rng.between(int(args[0]), int(args[1]))
            return (date.fromisoformat(published) + timedelta(days=days)).isoformat()
        case "time":
            return f"{rng.between(int(args[0]), int(args[1]) - 1)}:{rng.pick(('00', '30', '15', '45'))}"
        case "person":
            return person(rng)
        case "quarter":
            return ("first", "second", "third", "fourth")[(int(published[5:7]) - 1) // 3]
        case "pick":
            return rng.pick(lists[args[0]])
        case _:
            return ""


def shown(spec: str, value: str) -> str:
    """A plain value as it stands in a text."""
    match spec.split(maxsplit=1)[0]:
        case "number":
            return f"{int(value):,}"
        case "money":
            return f"${int(value):,}"
        case "price":
            return dollars(int(value))
        case "percent" | "percent1":
            return f"{value}%"
        case "million":
            return f"${value.removesuffix('.0')} million"
        case "date":
            return long_day(value)
        case "time":
            return clock(value)
        case _:
            return value


def answer_kind(spec: str) -> Answer:
    """How an answer about the slot is checked."""
    match spec.split(maxsplit=1)[0]:
        case "number" | "money" | "price" | "percent" | "percent1" | "million" | "year":
            return "number"
        case "date":
            return "date"
        case _:
            return "text"


def answer_value(spec: str, value: str) -> str:
    """A plain value as the number, date or text that an answer has to say."""
    match spec.split(maxsplit=1)[0]:
        case "price":
            return f"{int(value) / 100:.2f}"
        case "time":
            return clock(value)
        case _:
            return value


def fill(pattern: str, words: Mapping[str, str]) -> str:
    """The pattern with its slots filled; a slot spelt with a capital starts with one."""
    return pattern.format_map(_Words(words))


def words(specs: Mapping[str, str], values: Mapping[str, str]) -> dict[str, str]:
    """How each slot is shown, those that repeat another one included."""
    texts = {name: shown(spec, values[name]) for name, spec in specs.items() if values.get(name)}
    for name, spec in specs.items():
        kind, *args = spec.split()
        if kind == "same":
            text = texts[args[0]]
            texts[name] = capital(text) if name.endswith("_cap") else text[0].lower() + text[1:]
        elif kind == "last":
            texts[name] = texts[args[0]].split()[-1]
    return texts


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def dollars(cents: int) -> str:
    """`$4.50`, `$45`."""
    return f"${cents // 100:,}.{cents % 100:02d}" if cents % 100 else f"${cents // 100:,}"


def long_day(iso: str) -> str:
    """`March 14, 2026`."""
    day = date.fromisoformat(iso[:10])
    return f"{day:%B} {day.day}, {day.year}"


def clock(time: str) -> str:
    """`19:30` as `7:30 pm`."""
    hour, minute = (int(part) for part in time.split(":"))
    return f"{(hour - 1) % 12 + 1}:{minute:02d} {'am' if hour < 12 else 'pm'}"


class _Words(dict[str, str]):
    def __missing__(self, key: str) -> str:
        return capital(self[key[0].lower() + key[1:]]) if key[:1].isupper() else f"{{{key}}}"
