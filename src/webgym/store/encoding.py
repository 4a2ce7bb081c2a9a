"""Lossless encoding of steps for the database.

Prompts are repetitive: every step has the same system text and history. Longer texts are stored once, under their
hash, and prompts refer to them by it.
"""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

import msgspec

from webgym.records.base import Record, Variant
from webgym.records.observation import Observation
from webgym.records.prompt import Message, Part, Picture, Prompt, Role, Text, Tokens
from webgym.records.trajectory import Attempt, Ending, Step

_SHARED_FROM = 64
"""Minimum size in bytes; shorter texts are stored inline."""
_SQUEEZED_FROM = 256
_PLAIN, _DEFLATED = b"\0", b"\1"


class SharedText(Variant, frozen=True, tag="shared"):
    """Reference to a deduplicated text."""

    digest: bytes


class StoredMessage(Record, frozen=True):
    """A message with its longer texts by reference."""

    role: Role
    parts: tuple[Text | Picture | SharedText, ...]


class StoredPrompt(Record, frozen=True):
    """A prompt with its longer texts by reference."""

    messages: tuple[StoredMessage, ...]
    tools: tuple[Text | SharedText, ...] = ()
    dialect: str = ""
    version: str = ""


@dataclass(frozen=True, slots=True)
class StoredStep:
    """One row of `steps`, with the texts it refers to."""

    number: int
    step: bytes
    prompt: bytes | None = None
    tokens: Tokens | None = None
    texts: Mapping[bytes, bytes] = field(default_factory=dict[bytes, bytes])

    @property
    def size(self) -> int:
        """Approximate size in bytes."""
        arrays = self.tokens
        held = len(arrays.prompt) + len(arrays.sampled) + len(arrays.logprobs) + len(arrays.versions) if arrays else 0
        return len(self.step) + len(self.prompt or b"") + held + sum(map(len, self.texts.values()))


_steps = msgspec.msgpack.Decoder(Step)
_prompts = msgspec.msgpack.Decoder(StoredPrompt)
_attempts = msgspec.msgpack.Decoder(Attempt)
_endings = msgspec.msgpack.Decoder(Ending)
_encoder = msgspec.msgpack.Encoder()
_NO_ARRAYS = {"prompt": b"", "sampled": b"", "logprobs": b"", "versions": b""}


def store_step(step: Step) -> StoredStep:
    """Encode a step, with its prompt and token arrays split off into columns of their own."""
    turn, prompt, tokens, texts = step.turn, None, None, dict[bytes, bytes]()
    if turn.prompt is not None:
        prompt = _encoder.encode(_store_prompt(turn.prompt, texts))
        turn = msgspec.structs.replace(turn, prompt=None)
    if turn.completion is not None and turn.completion.tokens is not None:
        tokens = turn.completion.tokens
        bare = msgspec.structs.replace(tokens, **_NO_ARRAYS)
        completion = msgspec.structs.replace(turn.completion, tokens=bare)
        turn = msgspec.structs.replace(turn, completion=completion)
    body = _encoder.encode(msgspec.structs.replace(step, turn=turn))
    return StoredStep(step.number, body, prompt, tokens, texts)


def load_step(
    body: bytes, prompt: bytes | None, arrays: tuple[bytes, ...] | None, text: Callable[[bytes], str]
) -> Step:
    """Decode a step; `text` looks up a shared text by digest, `arrays` are in the order of `Tokens`."""
    step = _steps.decode(body)
    turn = step.turn
    if prompt is not None:
        turn = msgspec.structs.replace(turn, prompt=_load_prompt(_prompts.decode(prompt), text))
    if arrays is not None and turn.completion is not None and turn.completion.tokens is not None:
        names = dict(zip(_NO_ARRAYS, arrays, strict=True))
        tokens = msgspec.structs.replace(turn.completion.tokens, **names)
        turn = msgspec.structs.replace(turn, completion=msgspec.structs.replace(turn.completion, tokens=tokens))
    return msgspec.structs.replace(step, turn=turn)


def names_in(prompt: bytes) -> Iterator[bytes]:
    """Yield the digests of the shared texts in a stored prompt."""
    stored = _prompts.decode(prompt)
    for parts in (stored.tools, *(message.parts for message in stored.messages)):
        yield from (part.digest for part in parts if isinstance(part, SharedText))


def store_record(record: Attempt | Ending) -> bytes:
    return _encoder.encode(record)


def load_attempt(body: bytes) -> Attempt:
    return _attempts.decode(body)


def load_ending(body: bytes) -> Ending:
    return _endings.decode(body)


def addresses_in(observation: Observation | None) -> Iterator[str]:
    """Yield the addresses of all blobs that an observation refers to."""
    if observation is None:
        return
    for blob in (observation.screenshot, observation.labelled, *(download.blob for download in observation.downloads)):
        if blob is not None:
            yield blob.address


def addresses_of(step: Step) -> Iterator[str]:
    """Yield the addresses of all blobs that a step refers to."""
    yield from addresses_in(step.observation)
    if step.turn.prompt is not None:
        yield from (picture.address for picture in step.turn.prompt.pictures)


def squeeze(data: bytes) -> bytes:
    """Compress data if that makes it smaller."""
    if len(data) >= _SQUEEZED_FROM:
        small = zlib.compress(data, 1)
        if len(small) < len(data):
            return _DEFLATED + small
    return _PLAIN + data


def unsqueeze(data: bytes) -> bytes:
    return zlib.decompress(data[1:]) if data[:1] == _DEFLATED else data[1:]


def _store_prompt(prompt: Prompt, texts: dict[bytes, bytes]) -> StoredPrompt:
    def stored(part: Part) -> Text | Picture | SharedText:
        return part if isinstance(part, Picture) else _share(part, texts)

    messages = tuple(StoredMessage(message.role, tuple(map(stored, message.parts))) for message in prompt.messages)
    tools = tuple(_share(Text(tool), texts) for tool in prompt.tools)
    return StoredPrompt(messages, tools, prompt.dialect, prompt.version)


def _load_prompt(stored: StoredPrompt, text: Callable[[bytes], str]) -> Prompt:
    def loaded(part: Text | Picture | SharedText) -> Part:
        return Text(text(part.digest)) if isinstance(part, SharedText) else part

    messages = tuple(Message(message.role, tuple(map(loaded, message.parts))) for message in stored.messages)
    tools = tuple(text(tool.digest) if isinstance(tool, SharedText) else tool.text for tool in stored.tools)
    return Prompt(messages, tools, stored.dialect, stored.version)


def _share(part: Text, texts: dict[bytes, bytes]) -> Text | SharedText:
    data = part.text.encode()
    if len(data) < _SHARED_FROM:
        return part
    digest = hashlib.sha256(data).digest()
    texts[digest] = data
    return SharedText(digest)
