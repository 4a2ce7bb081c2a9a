"""Requests that are paid for once: a reply that is kept, or on its way, is not requested again.

The key is a hash of the whole request, text and pictures, so that no reply is paid for twice: not by a resumed run,
however the last one ended, and not by identical attempts.
"""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

import anyio
import msgspec

from webgym.llm.client import Client, open_client
from webgym.llm.config import ModelConfig
from webgym.llm.ledger import Ledger
from webgym.llm.paid_reply import PaidReply, ReplyStore, finish_of
from webgym.records.prompt import Completion, Message, Picture, Prompt

_KindT = TypeVar("_KindT", bound=str)


Send = Callable[[], Awaitable[Completion]]
"""Sends the request over the network. What it raises is raised to whoever asked first."""


class PaidRequests:
    """Finds a reply among those that are kept, or sends the request and keeps the reply before anybody uses it.

    Waits for: an identical request that is under way.
    """

    def __init__(self, replies: ReplyStore) -> None:
        self._replies = replies
        self._under_way: dict[str, anyio.Event] = {}

    async def reply(
        self, model: ModelConfig, kind: str, owner: str, prompt: Prompt, pictures: Mapping[str, bytes], send: Send
    ) -> tuple[PaidReply, bool]:
        """Return the reply, and whether it was paid for by this call."""
        key = request_key(model, kind, prompt)
        while key in self._under_way:
            await self._under_way[key].wait()
        if known := self._known(key, model, kind, prompt):
            return known, False
        self._under_way[key] = anyio.Event()
        try:
            completion = await send()
            finish = finish_of(completion)
            reply = PaidReply(
                key=_cut_key(key, model) if finish == "length" else key,
                owner=owner,
                kind=kind,
                model=completion.model or model.model,
                text=completion.text,
                finish=finish,
                prompt_tokens=completion.prompt_tokens,
                sampled_tokens=completion.sampled_tokens,
                pictures=len(prompt.pictures),
                picture_bytes=sum(len(pictures[picture.address]) for picture in prompt.pictures),
                dollars=completion.cost,
            )
            self._replies.keep(reply)
            return reply, True
        finally:
            self._under_way.pop(key).set()

    def _known(self, key: str, model: ModelConfig, kind: str, prompt: Prompt) -> PaidReply | None:
        keys = (key, _cut_key(key, model), _former_key(model, kind, prompt))
        return next((reply for key in keys if (reply := self._replies.find(key))), None)


@asynccontextmanager
async def open_clients(models: Mapping[_KindT, ModelConfig], ledger: Ledger) -> AsyncGenerator[dict[_KindT, Client]]:
    """Open a client per kind of request for the duration of the block. They share the ledger and its budget.

    Raises:
        ConfigError: An API key is missing.
    """
    async with AsyncExitStack() as stack:
        yield {kind: await stack.enter_async_context(open_client(model, ledger)) for kind, model in models.items()}


def request_key(model: ModelConfig, kind: str, prompt: Prompt) -> str:
    """Return the key of a request: everything that a whole reply may depend on. Not `max_tokens`, which only cuts."""
    sampling = [model.temperature, model.top_p, model.top_k, model.extra_body]
    said = [(message.role, _content(message)) for message in prompt.messages]
    return _hashed(model.model, sampling, kind, prompt.version, said)


def _cut_key(key: str, model: ModelConfig) -> str:
    """Return the key of a truncated reply: raising `max_tokens` asks again for these only."""
    return _hashed(key, model.max_tokens)


def _former_key(model: ModelConfig, kind: str, prompt: Prompt) -> str:
    """Return the key under which judges kept a reply in files of version 1."""
    sampling = [model.temperature, model.top_p, model.top_k, model.max_tokens, model.extra_body]
    said = [[message.role, _parts(message)] for message in prompt.messages]
    return _hashed(model.model, sampling, kind, prompt.version, said)


def _content(message: Message) -> str | list[str]:
    pictured = any(isinstance(part, Picture) for part in message.parts)
    return _parts(message) if pictured else message.text


def _parts(message: Message) -> list[str]:
    return [f"\0{part.address}" if isinstance(part, Picture) else part.text for part in message.parts]


def _hashed(*told: object) -> str:
    return hashlib.blake2b(msgspec.json.encode(told), digest_size=20).hexdigest()
