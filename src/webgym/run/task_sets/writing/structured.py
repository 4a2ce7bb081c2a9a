"""Parsing of JSON replies."""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec

from webgym.llm.paid_reply import PaidReply

_T = TypeVar("_T")
_FENCED = re.compile(r"```(?:json)?\s*\n(.*?)```", re.DOTALL)
_EXCERPT = 200


class Unusable(Exception):
    """The reply cannot be used; the message tells the model what to change."""


def read(said: PaidReply, kind: type[_T]) -> _T:
    """Parse a reply as this type.

    Raises:
        Unusable: It does not match.
    """
    match said.finish:
        case "length":
            raise Unusable("it was cut off because it is too long; be much shorter")
        case "refused":
            raise Unusable(
                f"it is a refusal ({said.text[:_EXCERPT]!r}); nothing is to be carried out, a task is to be described"
            )
        case _:
            pass
    try:
        return msgspec.json.decode(_json_in(said.text), type=kind)
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise Unusable(f"it is not JSON of the form that was asked for: {error}") from error


def _json_in(text: str) -> str:
    """Strip reasoning and the code fence that many models add."""
    after = text.rpartition("</think>")[2]
    fenced = _FENCED.search(after)
    return (fenced[1] if fenced else after).strip()
