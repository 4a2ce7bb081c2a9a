"""The client for the judge's models: answers from kept replies where possible, else over the network."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import TypeVar

from webgym.errors import (
    ConfigError,
    JudgeRejected,
    JudgeUnavailable,
    JudgeUnclear,
    PolicyRejected,
    PolicyUnavailable,
)
from webgym.judge.prompt_files import complained
from webgym.judge.replies import REPLIES, Kind
from webgym.judge.settings import JudgeSettings
from webgym.llm.client import Client
from webgym.llm.config import ModelConfig
from webgym.llm.ledger import Ledger
from webgym.llm.paid_reply import PaidReply, ReplyStore
from webgym.llm.paid_requests import PaidRequests, open_clients
from webgym.llm.structured import response_format
from webgym.records.prompt import Completion, Prompt
from webgym.records.verdict import VerdictCost

_T = TypeVar("_T")


class CachedClient:
    """Sends requests to the judge's models. Created by `open_cached_client`.

    A request waits for a free slot on a server, or for an identical request already in flight.
    """

    def __init__(
        self,
        clients: Mapping[Kind, Client],
        models: Mapping[Kind, ModelConfig],
        replies: ReplyStore,
        settings: JudgeSettings,
    ) -> None:
        self._clients = clients
        self._models = models
        self._replies = replies
        self._requests = PaidRequests(replies)
        self._settings = settings

    async def ask(
        self, kind: Kind, attempt: str, prompt: Prompt, pictures: Mapping[str, bytes], use: Callable[[PaidReply], _T]
    ) -> tuple[_T, VerdictCost]:
        """Return `use(reply)`. If `use` finds the reply unclear, tell the model why and ask again.

        Raises:
            JudgeUnclear: No reply within `rounds` was usable.
            JudgeUnavailable: No reply arrived.
            JudgeRejected: The servers rejected the request.
            BudgetSpent: The next request could exceed the budget.
        """
        spent = VerdictCost()
        for last in (False,) * (self._settings.rounds - 1) + (True,):
            said, fresh = await self._reply(kind, attempt, prompt, pictures)
            spent += _taken(said) if fresh else VerdictCost(remembered=1)
            try:
                used = use(said)
            except JudgeUnclear as unclear:
                if last:
                    raise JudgeUnclear(f"the judge's reply on {kind} cannot be used: {unclear}") from None
                prompt = complained(prompt, said.text, str(unclear))
            else:
                if fresh:
                    self._replies.was_clear(said.key)
                return used, spent
        raise ConfigError("judge.rounds must be at least 1")

    async def _reply(
        self, kind: Kind, attempt: str, prompt: Prompt, pictures: Mapping[str, bytes]
    ) -> tuple[PaidReply, bool]:
        async def send() -> Completion:
            try:
                return await self._clients[kind].complete(prompt, pictures, affinity=attempt)
            except PolicyUnavailable as error:
                raise JudgeUnavailable(f"the judge's model gave no reply: {error}") from error
            except PolicyRejected as error:
                raise JudgeRejected(f"the judge's model rejected the request: {error}") from error

        return await self._requests.reply(self._models[kind], kind, attempt, prompt, pictures, send)


def _taken(said: PaidReply) -> VerdictCost:
    return VerdictCost(
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
    settings: JudgeSettings, replies: ReplyStore, *, spent: float = 0.0
) -> AsyncGenerator[CachedClient]:
    """Open a client for the duration of the block. `spent` dollars already count against the budget.

    Raises:
        ConfigError: No model is configured, or an API key is missing.
    """
    models = models_of(settings)
    most = settings.most_dollars
    ledger = Ledger(None if most is None else max(0.0, most - spent))
    async with open_clients(models, ledger) as clients:
        yield CachedClient(clients, models, replies, settings)
