"""The interface that vLLM and SGLang share here: tokens in and out, and weights that change while serving."""

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
    """Sampling parameters of a request."""

    temperature: float = 1.0
    max_tokens: int = 256
    stop: tuple[int, ...] = ()
    """Token ids that end the reply, besides the model's own."""


class GenerateRequest(Record, frozen=True):
    """A prompt for a server."""

    ids: tuple[int, ...]
    """Prompt tokens, with one placeholder per image."""
    pictures: tuple[tuple[str, str], ...]
    """Address and data URL of each image, in order."""
    choosing: Choosing


class ControlCall(Protocol):
    """Sends a control request to one server."""

    async def __call__(
        self, method: Literal["GET", "POST"], path: str, body: Mapping[str, Any] | None = None
    ) -> dict[str, Any]:
        """Return the server's answer.

        Raises:
            PolicyUnavailable: The server does not answer, or failed.
            PolicyRejected: The server refused the request.
        """
        ...


class ServerApi(Protocol):
    """Protocol of one kind of server. Holds no state."""

    kind: Kind
    generate: str
    """Path of the route that takes token ids."""
    health: str

    def encode(self, ask: GenerateRequest) -> bytes:
        """Return the body of a request. It names no model: each server has one."""
        ...

    def sent(self, body: bytes) -> list[int]:
        """Return the token ids in the body of a request."""
        ...

    def read(self, content: bytes) -> ServerReply:
        """Parse a reply.

        Raises:
            TryFailed: The content is not a complete reply.
        """
        ...

    async def check(self, call: ControlCall, folder: str) -> None:
        """Raise `PolicyRejected` if the server cannot serve the weights in this folder faithfully."""
        ...

    async def pause(self, call: ControlCall, in_flight: InFlight) -> None:
        """Stop sampling, and drop caches computed with the current weights."""
        ...

    async def resume(self, call: ControlCall) -> None:
        """Go on sampling."""
        ...

    async def load(self, call: ControlCall, folder: str, version: int) -> None:
        """Load weights from a folder while paused, and label tokens with this version from then on."""
        ...

    async def label(self, call: ControlCall, version: int) -> None:
        """Tell the server which version it serves, without changing the weights."""
        ...

    async def version(self, call: ControlCall) -> str:
        """Return the version label of the weights being served."""
        ...

    async def sleep(self, call: ControlCall) -> None:
        """Release GPU memory while paused."""
        ...

    async def wake(self, call: ControlCall) -> None:
        """Allocate the memory again; weights have to be loaded next."""
        ...


def shown(prompt_pictures: Sequence[Picture], pictures: Mapping[str, bytes]) -> tuple[tuple[str, str], ...]:
    """Return the addresses and data URLs of a prompt's images.

    Raises:
        PolicyRejected: The bytes of one were not given.
    """
    if missing := [picture.address for picture in prompt_pictures if picture.address not in pictures]:
        raise PolicyRejected(f"the prompt shows a picture whose bytes were not given: {missing[0]}")
    return tuple((picture.address, data_url(pictures[picture.address])) for picture in prompt_pictures)
