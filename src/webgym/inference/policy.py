"""Inference servers as a `Policy`."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager

import msgspec

from webgym.inference.exchange import CheckpointTokenizer, TokenExchange
from webgym.inference.launch import NAME
from webgym.inference.replicas import Replicas
from webgym.llm.client import Client
from webgym.llm.config import ModelConfig
from webgym.llm.exchange import open_wire
from webgym.llm.ledger import Ledger
from webgym.llm.status import ModelStatus
from webgym.records.base import Record
from webgym.records.prompt import Completion, Prompt
from webgym.records.vocabulary import ImageTokens


class Asking(Record, frozen=True):
    """Request parameters of a policy."""

    temperature: float = 1.0
    max_tokens: int = 256
    concurrency: int = 64
    """Maximum concurrent requests per server."""


class InferencePolicy:
    """Samples from servers. Made by the function that `open_inference` yields."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        """Sample one reply, with its tokens.

        Raises:
            PolicyUnavailable: There was none within the tries and the time allowed.
            PolicyRejected: The servers will not take this prompt, or read other tokens than they were sent.
        """
        return await self._client.complete(prompt, pictures, affinity=affinity)

    def status(self) -> ModelStatus:
        """Return the status of the servers."""
        return self._client.status()


Make = Callable[[Asking], InferencePolicy]


@asynccontextmanager
async def open_inference(
    replicas: Replicas, words: CheckpointTokenizer, vocabulary: ImageTokens
) -> AsyncGenerator[Make]:
    """Yield a function that makes policies on these servers, valid within the block; their parameters may differ."""
    base = ModelConfig(
        servers=replicas.urls,
        model=NAME,
        api=replicas.api.kind,
        api_key_env=replicas.config.api_key_env,
        top_p=1.0,
        logprobs=replicas.config.logprobs or ("processed" if replicas.api.kind == "vllm" else "scaled"),
        timeouts=replicas.config.timeouts,
        retries=replicas.config.retries,
    )
    async with open_wire(base) as wire:

        def make(asking: Asking) -> InferencePolicy:
            config = base.model_copy(update=msgspec.structs.asdict(asking))
            return InferencePolicy(
                Client(config, TokenExchange(replicas.api, wire, config, words, vocabulary, replicas), Ledger())
            )

        yield make
