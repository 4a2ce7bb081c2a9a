"""Whether answers and messages say what they should."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date

from webgym_hermetic.answers import says_date, says_number, says_text
from webgym_hermetic.families.mail.records import DetailKind, Thread, World

_LONG_CODE = 4
"""Letters and digits from which on something is not found in other words by chance."""
_CLOCK = re.compile(r"(?<![\d.:])(\d{1,2})(?:[:.h](\d{2}))?\s*([ap])?\.?\s?(m\b)?", re.IGNORECASE)


def says(answer: str, kind: DetailKind, value: str, rivals: Sequence[str] = ()) -> bool:
    """Whether an answer gives a value, and none that could be taken for it."""
    match kind:
        case "money" | "number":
            return says_number(answer, float(value), rivals=tuple(float(one) for one in rivals))
        case "date":
            return says_date(answer, value) and not any(says_date(answer, one) for one in rivals)
        case "time":
            return says_time(answer, value, rivals)
        case "text":
            return says_words(answer, value, rivals)


def says_words(answer: str, value: str, rivals: Sequence[str]) -> bool:
    """Whether words are in the answer; of codes and sizes, with their spaces or without."""
    if says_text(answer, value, rivals=tuple(rivals)):
        return True
    code, text = _squashed(value), _squashed(answer)
    return (
        len(code) >= _LONG_CODE
        and any(c.isdigit() for c in code)
        and code in text
        and not any(_squashed(rival) in text for rival in rivals)
    )


def _squashed(text: str) -> str:
    return "".join(c for c in text.lower() if c.isalnum())


def says_time(answer: str, value: str, rivals: Sequence[str] = ()) -> bool:
    """Whether a time of day is in the answer: as `14:30`, `2:30 pm` or `2 p.m.`, none of its rivals being in it."""
    found: set[str] = set()
    for hour, minute, half, m in _CLOCK.findall(answer):
        if half and m:
            found.add(f"{int(hour) % 12 + (12 if half.lower() == 'p' else 0):02d}:{minute or '00'}")
        elif minute:
            found |= {f"{int(hour):02d}:{minute}", f"{int(hour) + 12:02d}:{minute}"}
    return value in found and not any(rival in found for rival in rivals)


def spoken(kind: DetailKind, value: str) -> str:
    """A value as an answer gives it."""
    match kind:
        case "money":
            return f"${float(value):,.2f}"
        case "date":
            day = date.fromisoformat(value)
            return f"{day:%B} {day.day}, {day.year}"
        case _:
            return value


def other_value(kind: DetailKind, value: str, rivals: Sequence[str]) -> str:
    """A value that is wrong: one that could be taken for the right one, if there is any."""
    if rivals:
        return rivals[0]
    match kind:
        case "money":
            return f"{float(value) + 10.5:.2f}"
        case "number":
            return str(int(value) + 1) if value.isdigit() else f"{float(value) + 1:.1f}"
        case "date":
            day = date.fromisoformat(value)
            return day.replace(day=day.day - 1 if day.day > 1 else 2).isoformat()
        case "time":
            return f"{(int(value[:2]) + 2) % 24:02d}{value[2:]}"
        case "text":
            return value[:-1] + _next(value[-1])


def _next(character: str) -> str:
    if character.isdigit():
        return str((int(character) + 1) % 10)
    return "z" if character != "z" else "y"


def same(one: str, other: str) -> bool:
    """Whether two texts are the same to a reader: spaces, capitals and the last full stop aside."""
    return _plain(one) == _plain(other)


def _plain(text: str) -> str:
    return " ".join(text.casefold().replace("\u2019", "'").split()).strip("\"'\u201c\u201d .!")


def rivals_of(world: World, thread: Thread, name: str) -> tuple[str, ...]:
    """What could be taken for a detail of a conversation: what it also says, and what its likes say."""
    detail = next(one for one in thread.details if one.name == name)
    near = [
        one.value
        for other in world.threads
        if other.topic == thread.topic and other.id != thread.id
        for one in other.details
        if one.name == name and one.kind == detail.kind
    ]
    return tuple(dict.fromkeys(one for one in (*detail.rivals, *near) if one != detail.value))


def called(world: World, thread: str) -> str:
    """A conversation as a request names it."""
    one = world.thread(thread)
    if one.folder == "sent":
        names = " and ".join(world.named(address) for address in one.messages[0].to[:1])
        return f'the message "{one.subject}" that you sent to {names}'
    kind = "conversation" if len(one.messages) > 1 else "message"
    return f'the {kind} "{one.subject}" from {one.other.name}'


def listed(parts: Sequence[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def capital(text: str) -> str:
    return text[0].upper() + text[1:]
