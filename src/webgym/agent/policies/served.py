"""A model behind OpenAI-compatible servers, as a `Policy`."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AsyncExitStack
from types import TracebackType
from typing import Self

from webgym.errors import ConfigError
from webgym.llm.client import Client, open_client
from webgym.llm.config import ModelConfig
from webgym.llm.ledger import Ledger
from webgym.llm.status import ModelStatus
from webgym.records.prompt import Completion, Prompt


class ServedPolicy:
    """A policy that samples from a served model; used as an async context manager.

    async with ServedPolicy(ModelConfig(servers=("http://127.0.0.1:8000/v1",), model="qwen")) as policy:
        completion = await policy.sample(prompt, pictures)
    """

    def __init__(self, config: ModelConfig, *, ledger: Ledger | None = None) -> None:
        self._config = config
        self._ledger = ledger
        self._client: Client | None = None
        self._closing = AsyncExitStack()

    async def __aenter__(self) -> Self:
        self._client = await self._closing.enter_async_context(open_client(self._config, self._ledger))
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._client = None
        await self._closing.aclose()

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        """Sample one reply from the model.

        Raises:
            PolicyUnavailable: No reply came within the allowed retries and time.
            PolicyRejected: The servers reject this request.
            BudgetSpent: The request could exceed the budget.
        """
        return await self._open().complete(prompt, pictures, affinity=affinity)

    def status(self) -> ModelStatus:
        """Return the status of the servers."""
        return self._open().status()

    def _open(self) -> Client:
        if self._client is None:
            raise ConfigError("a ServedPolicy is used inside `async with`")
        return self._client
