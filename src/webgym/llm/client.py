"""A client for a model behind several servers, with retries, backoff and an overall deadline."""

from __future__ import annotations

import logging
import random
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio
import msgspec

from webgym.errors import PolicyError, PolicyRejected, PolicyUnavailable
from webgym.llm.config import ModelConfig
from webgym.llm.exchange import ChatExchange, Exchange, open_wire
from webgym.llm.failures import TryFailed
from webgym.llm.ledger import Ledger, LedgerEntry, cost
from webgym.llm.reply import ChatReply
from webgym.llm.server import ModelServer, RequestSlot, growing_pause
from webgym.llm.servers import Servers
from webgym.llm.status import ModelStatus
from webgym.records.prompt import Completion, Prompt

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class _Request:
    prompt: Prompt
    pictures: Mapping[str, bytes]
    affinity: str
    body: bytes = b""
    """Encoded only once a server has room: many requests may wait, and pictures are large."""
    tries: int = 0
    server: str = ""
    """URL of the server tried last."""
    failed_on: frozenset[str] = frozenset()


class Client:
    """Sends prompts to a model. Created by `open_client`, or with a custom `Exchange` for other server APIs."""

    def __init__(self, config: ModelConfig, exchange: Exchange, ledger: Ledger) -> None:
        self._config = config
        self._exchange = exchange
        self._ledger = ledger
        self._rng = random.Random()  # noqa: S311 - jitter
        servers = [ModelServer(url, config.concurrency, config.retries, self._rng) for url in config.servers]
        self._servers = Servers(servers, config.waiting)
        self._requests = self._retries = self._moved = self._failed = 0
        self._warned: set[str] = set()
        self._encoding = anyio.Lock()

    async def complete(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        """Generate one completion.

        Raises:
            PolicyUnavailable: No reply within the allowed tries and time.
            PolicyRejected: The server rejects this request.
            BudgetSpent: The request could cost more than the remaining budget.
        """
        self._requests += 1
        try:
            request = _Request(prompt, pictures, affinity)
            with anyio.move_on_after(self._config.timeouts.deadline):
                async with self._ledger.entry(self._config.prices, prompt, self._config.max_tokens) as entry:
                    return self._charged(entry, await self._until_replied(request))
            raise self._gave_up(f"in {self._config.timeouts.deadline:g} s, {request.tries} tries")
        except PolicyError:
            self._failed += 1
            raise

    def status(self) -> ModelStatus:
        """Return the status of the servers and the request counts."""
        return ModelStatus(
            servers=tuple(server.status() for server in self._servers.all),
            waiting=self._servers.waiting,
            requests=self._requests,
            retries=self._retries,
            moved=self._moved,
            failed=self._failed,
            spending=self._ledger.spending,
        )

    async def _until_replied(self, request: _Request) -> ChatReply:
        while True:
            place = await self._servers.take(request.affinity, request.failed_on)
            try:
                await self._encode(request)
                return await self._try(request, place)
            except TryFailed:
                if request.tries >= self._config.retries.tries:
                    raise self._gave_up(f"in {request.tries} tries") from None
            finally:
                self._servers.give_back(place)
            await self._pause(request, place.server)

    async def _encode(self, request: _Request) -> None:
        """Encode the body, one request at a time: each takes a millisecond or two, and a burst would block the loop."""
        async with self._encoding:
            request.body = request.body or self._exchange.encode(request.prompt, request.pictures)

    async def _try(self, request: _Request, place: RequestSlot) -> ChatReply:
        server = place.server
        try:
            if place.trial:  # a failed probe does not count as a try of the request
                await self._exchange.probe(server.url)
            self._count(request, server)
            began = time.monotonic()
            reply = await self._exchange.ask(server.url, request.body)
        except TryFailed as error:
            server.failed(place, error)
            raise
        except PolicyRejected:
            server.refused(place)
            raise
        seconds = time.monotonic() - began
        server.replied(place, seconds)
        completion = msgspec.structs.replace(reply.completion, server=server.url, seconds=seconds)
        return ChatReply(completion, reply.usage)

    def _count(self, request: _Request, server: ModelServer) -> None:
        request.tries += 1
        if request.tries > 1:
            self._retries += 1
            self._moved += server.url != request.server
        request.server = server.url

    async def _pause(self, request: _Request, server: ModelServer) -> None:
        """Back off exponentially, unless another server has room."""
        request.failed_on |= {server.url}
        if self._servers.has_room_besides(request.failed_on):
            return
        request.failed_on = frozenset({server.url})
        await anyio.sleep(growing_pause(self._config.retries, max(1, request.tries), self._rng))

    def _charged(self, entry: LedgerEntry, reply: ChatReply) -> Completion:
        completion = reply.completion
        entry.usage = reply.usage or entry.most
        if self._config.api != "openai" and self._config.tokens and completion.tokens is None:
            self._warn_once(f"{completion.server} returns no token ids: its replies cannot be used for training")
        return msgspec.structs.replace(completion, cost=cost(self._config.prices, entry.usage))

    def _warn_once(self, message: str) -> None:
        if message not in self._warned:
            self._warned.add(message)
            logger.warning(message)

    def _gave_up(self, when: str) -> PolicyUnavailable:
        states = (server.status() for server in self._servers.all)
        told = "; ".join(
            f"{state.last_error or state.url} ({state.state}, {state.in_flight} in flight)" for state in states
        )
        return PolicyUnavailable(f"no reply {when}: {told}")


@asynccontextmanager
async def open_client(config: ModelConfig, ledger: Ledger | None = None) -> AsyncGenerator[Client]:
    """Provide a client for the duration of the block. Clients that are given the same ledger share its budget.

    Raises:
        ConfigError: The environment variable for the API key holds no valid key.
    """
    async with open_wire(config) as wire:
        yield Client(config, ChatExchange(config, wire), ledger or Ledger(config.budget))
