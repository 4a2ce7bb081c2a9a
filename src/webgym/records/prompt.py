"""Prompts and completions, exactly as they were sent and received."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import Literal

from webgym.records.base import Record, Variant

Role = Literal["system", "user", "assistant"]


class Text(Variant, frozen=True):
    """A text part of a message."""

    text: str


class Picture(Variant, frozen=True):
    """An image part of a message, by the address of its bytes."""

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
        """All text parts, concatenated."""
        return "".join(part.text for part in self.parts if isinstance(part, Text))


class Prompt(Record, frozen=True):
    """Everything a policy is given for one decision. Stored as it was sent."""

    messages: tuple[Message, ...]
    tools: tuple[str, ...] = ()
    """Tool schemas sent beside the messages, each as JSON; empty if they are written into the text."""
    dialect: str = ""
    version: str = ""
    """Version of the prompt files, such as `complete-1`."""

    @property
    def pictures(self) -> tuple[Picture, ...]:
        """All pictures, in prompt order."""
        return tuple(part for message in self.messages for part in message.parts if isinstance(part, Picture))


class ToolCall(Record, frozen=True):
    """A tool call that the server returned separately from the text."""

    name: str
    arguments: str
    """Meant to be JSON, but unparsed: the model may have written anything."""


class Tokens(Record, frozen=True):
    """Token data of a completion, for training. Little-endian: ids and versions int32, logprobs float32."""

    prompt: bytes
    sampled: bytes
    logprobs: bytes
    """One per sampled token, under the distribution sampled from; empty if not known to be from it."""
    versions: bytes = b""
    """Policy version of each sampled token."""
    temperature: float = 1.0
    top_p: float = 1.0
    top_k: int = 0
    """0 is off."""


class Completion(Record, frozen=True):
    """A policy's reply."""

    text: str
    reasoning: str = ""
    """Reasoning that the server returned separately from the text."""
    calls: tuple[ToolCall, ...] = ()
    finish: Literal["stop", "length", "tool", "refused"] = "stop"
    model: str = ""
    server: str = ""
    version: int | None = None
    """Version of the policy's weights, if the server reports it."""
    prompt_tokens: int = 0
    sampled_tokens: int = 0
    tokens: Tokens | None = None
    seconds: float = 0.0
    cost: float = 0.0
    """In US dollars, if prices are known."""


def pack_ids(ids: Iterable[int]) -> bytes:
    """Pack token ids or versions as int32."""
    return array("i", ids).tobytes()


def unpack_ids(data: bytes) -> array[int]:
    """Unpack token ids or versions."""
    ids = array("i")
    ids.frombytes(data)
    return ids


def pack_logprobs(values: Iterable[float]) -> bytes:
    """Pack logprobs as float32."""
    return array("f", values).tobytes()


def unpack_logprobs(data: bytes) -> array[float]:
    """Unpack logprobs."""
    values = array("f")
    values.frombytes(data)
    return values
