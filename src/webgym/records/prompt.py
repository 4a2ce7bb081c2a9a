"""What a model was shown and what it said, exactly."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Literal

from webgym.records.base import Record, Variant

Role = Literal["system", "user", "assistant"]


class Text(Variant, frozen=True):
    """Words of a message."""

    text: str


class Picture(Variant, frozen=True):
    """A picture of a message, by the address of its bytes."""

    address: str
    width: int
    height: int


Part = Text | Picture


class Message(Record, frozen=True):
    """One turn of a conversation."""

    role: Role
    parts: tuple[Part, ...]

    @property
    def text(self) -> str:
        """Its words, without the pictures."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))


class Prompt(Record, frozen=True):
    """All that a policy is given for one decision. Stored as it was sent."""

    messages: tuple[Message, ...]
    tools: tuple[str, ...] = ()
    """Tool schemas that travel beside the messages, each as JSON; none where they are written into the text."""
    dialect: str = ""
    version: str = ""
    """Of the prompt's files: `complete-1`."""

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """All pictures, in the order in which the model meets them."""
        return tuple(part for message in self.messages for part in message.parts if isinstance(part, Picture))


class ToolCall(Record, frozen=True):
    """A tool call that the server gave apart from the text."""

    name: str
    arguments: str
    """JSON, as the model wrote it: possibly not JSON at all."""


class Tokens(Record, frozen=True):
    """What was sampled, token by token, for training. Little-endian: ids and versions int32, logprobs float32."""

    prompt: bytes
    sampled: bytes
    logprobs: bytes
    """Of the distribution sampled from, one for each sampled token; empty where they are not known to be of it."""
    versions: bytes = b""
    """Of the policy, one for each sampled token."""
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    """0: off."""


class Completion(Record, frozen=True):
    """A policy's reply."""

    text: str
    reasoning: str = ""
    """Thoughts that the server gave apart from the text."""
    calls: tuple[ToolCall, ...] = ()
    finish: Literal["stop", "length", "tool", "refused"] = "stop"
    model: str = ""
    server: str = ""
    version: int | None = None
    """Of the policy's weights, if the server says."""
    prompt_tokens: int = 0
    sampled_tokens: int = 0
    tokens: Tokens | None = None
    seconds: float = 0.0
    cost: float = 0.0
    """In US dollars, where prices are known."""


def pack_ids(ids: Iterable[int]) -> bytes:
    """Token ids or versions as bytes."""
    return array("i", ids).tobytes()


def unpack_ids(data: bytes) -> array[int]:
    """Token ids or versions from bytes."""
    ids = array("i")
    ids.frombytes(data)
    return ids


def pack_logprobs(values: Iterable[float]) -> bytes:
    """Logprobs as bytes."""
    return array("f", values).tobytes()


def unpack_logprobs(data: bytes) -> array[float]:
    """Logprobs from bytes."""
    values = array("f")
    values.frombytes(data)
    return values
