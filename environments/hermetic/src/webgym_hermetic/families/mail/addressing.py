"""Who gets a message."""

from __future__ import annotations

from webgym_hermetic.families.mail.mailbox import messages, people
from webgym_hermetic.families.mail.records import World
from webgym_hermetic.families.mail.state import State, addresses


def answered(world: World, state: State, thread: str, *, everyone: bool) -> tuple[str, ...]:
    """To whom an answer goes: who wrote last, or everyone who takes part."""
    given = messages(world, state, thread)
    last = next((one for one in reversed(given) if not one.own), given[-1])
    first = last.to if last.own else (last.address,)
    rest = (*last.to, *last.cc) if everyone else ()
    return tuple(dict.fromkeys(one for one in (*first, *rest) if one != world.owner.email))


def resolved(world: World, state: State, text: str) -> tuple[str, ...] | None:
    """The addresses in a field, where names of contacts stand for theirs; None if one is neither."""
    by_name: dict[str, str] = {}
    for one in people(world, state):
        by_name.setdefault(one.name.lower(), one.email)
    parts = [part.strip() for part in text.replace(";", ",").replace("\n", ",").split(",") if part.strip()]
    return addresses(", ".join(by_name.get(part.lower(), part) for part in parts))
