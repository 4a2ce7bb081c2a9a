"""A model's reply that was paid for, and where such replies are kept."""

from __future__ import annotations

from typing import Literal, Protocol

from webgym.records.base import Record
from webgym.records.prompt import Completion

Finish = Literal["stop", "length", "tool", "refused"]


class PaidReply(Record, frozen=True):
    """A model's reply to one request, and its cost."""

    key: str
    owner: str
    """The attempt or task that the request was first made for."""
    kind: str
    """The kind of request, such as `verdict` or `enrich`."""
    model: str
    text: str
    finish: Finish
    prompt_tokens: int = 0
    sampled_tokens: int = 0
    pictures: int = 0
    picture_bytes: int = 0
    dollars: float = 0.0


def finish_of(completion: Completion) -> Finish:
    """Return how a reply ended; a reply with tool calls counts as `tool`."""
    return "tool" if completion.calls else completion.finish


class ReplyStore(Protocol):
    """Keeps paid replies by the key of their request."""

    def find(self, key: str) -> PaidReply | None:
        """Return the reply to this request, if there is one."""
        ...

    def keep(self, reply: PaidReply) -> None:
        """Store a reply; it is as durable as it gets when this returns."""
        ...

    def was_clear(self, key: str) -> None:
        """Mark the reply as usable."""
        ...


class MemoryReplyStore:
    """Keeps the most recent replies for the lifetime of the process."""

    def __init__(self, most: int = 4096) -> None:
        self._replies: dict[str, PaidReply] = {}
        self._most = most

    def find(self, key: str) -> PaidReply | None:
        return self._replies.get(key)

    @property
    def dollars(self) -> float:
        """Dollars spent before this process started: always 0."""
        return 0.0

    def keep(self, reply: PaidReply) -> None:
        """Store a reply, evicting the oldest when full."""
        self._replies[reply.key] = reply
        if len(self._replies) > self._most:
            del self._replies[next(iter(self._replies))]

    def was_clear(self, key: str) -> None:
        """Do nothing."""
        del key
