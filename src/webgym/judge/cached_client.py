"""The client for the judge's models: answers from the reply cache where possible, else over the network."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TypeVar

import anyio
import msgspec

from webgym.errors import (
    ConfigError,
    JudgeRejected,
    JudgeUnavailable,
    JudgeUnclear,
    PolicyRejected,
    PolicyUnavailable,
)
from webgym.judge.prompt_files import complained
from webgym.judge.replies import REPLIES, Kind, finished
from webgym.judge.reply_cache import ReplyCache, Said
from webgym.judge.settings import JudgeSettings
from webgym.llm.client import Client, open_client
from webgym.llm.config import ModelConfig
from webgym.llm.ledger import Ledger
from webgym.llm.structured import response_format
from webgym.records.prompt import Picture, Prompt, Text
from webgym.records.verdict import Spent

_T = TypeVar("_T")


class CachedClient:
    """Sends requests to the judge's models. Created by `open_cached_client`.

    A request waits for a free slot on a server, or for an identical request already in flight.
    """

    def __init__(
        self,
        clients: Mapping[Kind, Client],
        models: Mapping[Kind, ModelConfig],
        cache: ReplyCache,
        settings: JudgeSettings,
    ) -> None:
        self._clients = clients
        self._models = models
        self._cache = cache
        self._settings = settings
        self._open: dict[str, anyio.Event] = {}

    async def ask(
        self, kind: Kind, attempt: str, prompt: Prompt, pictures: Mapping[str, bytes], use: Callable[[Said], _T]
    ) -> tuple[_T, Spent]:
        """Return `use(reply)`. If `use` finds the reply unclear, tell the model why and ask again.

        Raises:
            JudgeUnclear: No reply within `rounds` was usable.
            JudgeUnavailable: No reply arrived.
            JudgeRejected: The servers rejected the request.
            BudgetSpent: The next request could exceed the budget.
        """
        spent = Spent()
        for last in (False,) * (self._settings.rounds - 1) + (True,):
            said, fresh = await self._reply(kind, attempt, prompt, pictures)
            spent += _taken(said) if fresh else Spent(remembered=1)
            try:
                used = use(said)
            except JudgeUnclear as unclear:
                if last:
                    raise JudgeUnclear(f"the judge's reply on {kind} cannot be used: {unclear}") from None
                prompt = complained(prompt, said.text, str(unclear))
            else:
                if fresh:
                    self._cache.was_clear(said.key)
                return used, spent
        raise ConfigError("judge.rounds must be at least 1")

    async def _reply(
        self, kind: Kind, attempt: str, prompt: Prompt, pictures: Mapping[str, bytes]
    ) -> tuple[Said, bool]:
        key = self._key(kind, prompt)
        while key in self._open:
            await self._open[key].wait()
        known = self._cache.find(key)
        if known is not None:
            return known, False
        self._open[key] = anyio.Event()
        try:
            return await self._send(key, kind, attempt, prompt, pictures), True
        finally:
            self._open.pop(key).set()

    async def _send(self, key: str, kind: Kind, attempt: str, prompt: Prompt, pictures: Mapping[str, bytes]) -> Said:
        try:
            completion = await self._clients[kind].complete(prompt, pictures, affinity=attempt)
        except PolicyUnavailable as error:
            raise JudgeUnavailable(f"the judge's model gave no reply: {error}") from error
        except PolicyRejected as error:
            raise JudgeRejected(f"the judge's model rejected the request: {error}") from error
        shown = prompt.pictures
        said = Said(
            key=key,
            attempt=attempt,
            kind=kind,
            model=completion.model or self._models[kind].model,
            text=completion.text,
            finish=finished(completion),
            prompt_tokens=completion.prompt_tokens,
            sampled_tokens=completion.sampled_tokens,
            pictures=len(shown),
            picture_bytes=sum(len(pictures[one.address]) for one in shown),
            dollars=completion.cost,
        )
        self._cache.keep(said)
        return said

    def _key(self, kind: Kind, prompt: Prompt) -> str:
        model = self._models[kind]
        sampling = [model.temperature, model.top_p, model.top_k, model.max_tokens, model.extra_body]
        said = [[message.role, [_named(part) for part in message.parts]] for message in prompt.messages]
        told = msgspec.json.encode([model.model, sampling, kind, prompt.version, said])
        return hashlib.blake2b(told, digest_size=20).hexdigest()


def _named(part: Text | Picture) -> str:
    return part.text if isinstance(part, Text) else f"\0{part.address}"


def _taken(said: Said) -> Spent:
    return Spent(
        calls=1,
        prompt_tokens=said.prompt_tokens,
        sampled_tokens=said.sampled_tokens,
        pictures=said.pictures,
        picture_bytes=said.picture_bytes,
        dollars=said.dollars,
    )


def models_of(settings: JudgeSettings) -> dict[Kind, ModelConfig]:
    """Return the model used for each kind of request.

    Raises:
        ConfigError: No model is configured.
    """
    if settings.model is None:
        raise ConfigError(
            "the rubric judge needs a model: set judge.model.servers and judge.model.model (any OpenAI-compatible "
            "server with a vision-language model)"
        )
    keyframes = settings.keyframe_model or settings.model
    roles: dict[Kind, ModelConfig] = {
        "relevance": keyframes,
        "blocked": settings.blocked_model or keyframes,
        "verdict": settings.model,
        "whole": settings.model,
    }
    return {kind: _prepared(model, settings, kind) for kind, model in roles.items()}


def _prepared(model: ModelConfig, settings: JudgeSettings, kind: Kind) -> ModelConfig:
    """Ask for JSON, without token ids, and default to greedy decoding: rewards should not depend on sampling noise."""
    changes = {
        "extra_body": model.extra_body | response_format(settings.structured, kind, REPLIES[kind]),
        "temperature": 0.0 if model.temperature is None else model.temperature,
        "tokens": False,
    }
    return model.model_copy(update=changes)


@asynccontextmanager
async def open_cached_client(
    settings: JudgeSettings, cache: ReplyCache, *, spent: float = 0.0
) -> AsyncGenerator[CachedClient]:
    """Open a client for the duration of the block. `spent` dollars already count against the budget.

    Raises:
        ConfigError: No model is configured, or an API key is missing.
    """
    models = models_of(settings)
    most = settings.most_dollars
    ledger = Ledger(None if most is None else max(0.0, most - spent))
    async with AsyncExitStack() as stack:
        clients: dict[Kind, Client] = {}
        for kind, model in models.items():
            clients[kind] = await stack.enter_async_context(open_client(model, ledger))
        yield CachedClient(clients, models, cache, settings)
