"""A model behind several servers: tries, pauses, and the deadline over all of it."""

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
from webgym.llm.ledger import Entry, Ledger, cost
from webgym.llm.reply import Reply
from webgym.llm.server import Place, Server, growing_pause
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
    """Made when there is first a place for it: those that wait for one are many, and pictures are large."""
    tries: int = 0
    server: str = ""
    """The one that was asked last."""
    failed_on: frozenset[str] = frozenset()


class Client:
    """Asks a model. Made by `open_client`; for servers that speak otherwise, with an exchange of your own."""

    def __init__(self, config: ModelConfig, exchange: Exchange, ledger: Ledger) -> None:
        self._config = config
        self._exchange = exchange
        self._ledger = ledger
        self._rng = random.Random()  # noqa: S311 - spreads pauses
        servers = [Server(url, config.concurrency, config.retries, self._rng) for url in config.servers]
        self._servers = Servers(servers, config.waiting)
        self._requests = self._retries = self._moved = self._failed = 0
        self._warned: set[str] = set()
        self._encoding = anyio.Lock()

    async def complete(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        """One reply.

        Raises:
            PolicyUnavailable: There was none in the tries and the time allowed.
            PolicyRejected: The servers will not take this request.
            BudgetSpent: It could cost more than is left of the budget.
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
        """How the servers are doing."""
        return ModelStatus(
            servers=tuple(server.status() for server in self._servers.all),
            waiting=self._servers.waiting,
            requests=self._requests,
            retries=self._retries,
            moved=self._moved,
            failed=self._failed,
            spending=self._ledger.spending,
        )

    async def _until_replied(self, request: _Request) -> Reply:
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
        """One by one: it takes a millisecond or two, and a herd of requests would hold up the event loop."""
        async with self._encoding:
            request.body = request.body or self._exchange.encode(request.prompt, request.pictures)

    async def _try(self, request: _Request, place: Place) -> Reply:
        server = place.server
        try:
            if place.trial:  # nothing is sent yet, so this is none of the request's tries
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
        return Reply(completion, reply.usage)

    def _count(self, request: _Request, server: Server) -> None:
        request.tries += 1
        if request.tries > 1:
            self._retries += 1
            self._moved += server.url != request.server
        request.server = server.url

    async def _pause(self, request: _Request, server: Server) -> None:
        """None if another server can be asked; else longer with every try."""
        request.failed_on |= {server.url}
        if self._servers.has_room_besides(request.failed_on):
            return
        request.failed_on = frozenset({server.url})
        await anyio.sleep(growing_pause(self._config.retries, max(1, request.tries), self._rng))

    def _charged(self, entry: Entry, reply: Reply) -> Completion:
        completion = reply.completion
        entry.usage = reply.usage or entry.most
        if self._config.api != "openai" and self._config.tokens and completion.tokens is None:
            self._warn_once(f"{completion.server} gives no token ids: what it says cannot be trained on")
        return msgspec.structs.replace(completion, cost=cost(self._config.prices, entry.usage))

    def _warn_once(self, message: str) -> None:
        if message not in self._warned:
            self._warned.add(message)
            logger.warning(message)

    def _gave_up(self, when: str) -> PolicyUnavailable:
        states = (server.status() for server in self._servers.all)
        told = "; ".join(f"{one.last_error or one.url} ({one.state}, {one.in_flight} in flight)" for one in states)
        return PolicyUnavailable(f"no reply {when}: {told}")


@asynccontextmanager
async def open_client(config: ModelConfig, ledger: Ledger | None = None) -> AsyncGenerator[Client]:
    """A client for as long as the block lasts. With a ledger of your own, several models share its budget.

    Raises:
        ConfigError: The environment variable that should hold the key does not.
    """
    async with open_wire(config) as wire:
        yield Client(config, ChatExchange(config, wire), ledger or Ledger(config.budget))
