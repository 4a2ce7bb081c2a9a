"""What vLLM and SGLang have in common: tokens in and out, and weights that change while they serve."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, Protocol

from webgym.errors import PolicyRejected
from webgym.inference.config import Kind
from webgym.inference.reply import ServerReply
from webgym.llm.request import data_url
from webgym.records.base import Record
from webgym.records.prompt import Picture

InFlight = Literal["recompute", "wait"]


class Choosing(Record, frozen=True):
    """How the next token is chosen."""

    temperature: float = 1.0
    max_tokens: int = 256
    stop: tuple[int, ...] = ()
    """Tokens that end the reply, besides the model's own."""


class Ask(Record, frozen=True):
    """A prompt for a server."""

    ids: tuple[int, ...]
    """One placeholder for each picture."""
    pictures: tuple[tuple[str, str], ...]
    """Address and data URL of each, in order."""
    choosing: Choosing


class Call(Protocol):
    """An order to one server."""

    async def __call__(
        self, method: Literal["GET", "POST"], path: str, body: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """What it answers.

        Raises:
            PolicyUnavailable: It does not, or failed.
            PolicyRejected: It knows no such order.
        """
        ...


class Api(Protocol):
    """How one kind of server is spoken to. Holds no state."""

    kind: Kind
    generate: str
    """Path of the route that takes tokens."""
    health: str

    def encode(self, ask: Ask) -> bytes:
        """The body of a request. Names no model: each server has one."""
        ...

    def sent(self, body: bytes) -> list[int]:
        """The token ids in the body of a request."""
        ...

    def read(self, content: bytes) -> ServerReply:
        """The reply in these bytes.

        Raises:
            TryFailed: They hold none.
        """
        ...

    async def check(self, call: Call, folder: str) -> None:
        """Raise `PolicyRejected` if it cannot serve the weights in this folder faithfully."""
        ...

    async def pause(self, call: Call, in_flight: InFlight) -> None:
        """Sample no more, and forget what the weights made of prompts and pictures."""
        ...

    async def resume(self, call: Call) -> None:
        """Go on."""
        ...

    async def load(self, call: Call, folder: str, version: int) -> None:
        """Read weights from a folder while it is paused; its tokens are of this version from then on."""
        ...

    async def label(self, call: Call, version: int) -> None:
        """Say which version it serves, without changing it."""
        ...

    async def version(self, call: Call) -> str:
        """The label of what it serves."""
        ...

    async def sleep(self, call: Call) -> None:
        """Give memory back while it is paused."""
        ...

    async def wake(self, call: Call) -> None:
        """Take the memory again; weights are to be loaded next."""
        ...


def shown(prompt_pictures: Sequence[Picture], pictures: Mapping[str, bytes]) -> tuple[tuple[str, str], ...]:
    """Addresses and data URLs of a prompt's pictures.

    Raises:
        PolicyRejected: The bytes of one were not given.
    """
    if missing := [picture.address for picture in prompt_pictures if picture.address not in pictures]:
        raise PolicyRejected(f"the prompt shows a picture whose bytes were not given: {missing[0]}")
    return tuple((picture.address, data_url(pictures[picture.address])) for picture in prompt_pictures)
