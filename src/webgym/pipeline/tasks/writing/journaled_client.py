"""The client for models that write tasks: answers from the journal where possible, else over the network."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Literal, TypeVar

import anyio
import anyio.to_thread
import msgspec

from webgym.concurrency import background
from webgym.errors import BudgetSpent, PolicyRejected, PolicyUnavailable
from webgym.llm.client import Client, open_client
from webgym.llm.config import ModelConfig
from webgym.llm.ledger import Ledger
from webgym.llm.structured import Structured, response_format
from webgym.pipeline.tasks.writing.journal import Journal, Said
from webgym.pipeline.tasks.writing.prompt_files import complained
from webgym.pipeline.tasks.writing.structured import Unusable
from webgym.records.prompt import Prompt

_T = TypeVar("_T")
_SYNC_SECONDS = 1.0
_MOST_REJECTED = 8
"""Rejected requests before any reply after which the fault is presumed to be in the setup, not in the tasks."""
_MOST_SILENT = 16
"""Consecutive unanswered requests, after all retries, after which the servers are presumed down."""


class Stopped(Exception):
    """No more requests are sent; the message says why: budget spent, servers down, or interrupted by the user."""


Fault = Literal["unusable", "refused", "unanswered"]
"""No reply was usable; the server rejected the request; no server answered. Only the last is worth another run."""


class GaveUp(Exception):
    """There is no usable reply; the message says why."""

    def __init__(self, fault: Fault, reason: str, said: Said | None = None) -> None:
        super().__init__(reason)
        self.fault: Fault = fault
        self.said = said
        """The last reply, if there was one."""


class JournaledClient:
    """Sends requests to a model. Created by `open_journaled_client`.

    Concurrency is bounded by the caller. A request waits for a free slot on a server, or for an identical request
    already in flight.
    """

    def __init__(
        self, clients: Mapping[str, Client], models: Mapping[str, ModelConfig], journal: Journal, rounds: int
    ) -> None:
        self.stop_reason = ""
        self.asked = 0
        """Number of requests that were paid for."""
        self.remembered = 0
        """Number of requests answered from the journal."""
        self._clients = clients
        self._models = models
        self._journal = journal
        self._rounds = rounds
        self._open: dict[str, anyio.Event] = {}
        self._rejected = self._silent = 0
        self._before = journal.dollars
        self._dollars = 0.0

    @property
    def journal(self) -> Journal:
        return self._journal

    @property
    def dollars(self) -> float:
        """Dollars spent over all runs with this journal."""
        return self._before + self._dollars

    def stop(self, reason: str) -> None:
        """Send no more requests; those in flight finish, as they are paid for."""
        self.stop_reason = self.stop_reason or reason

    async def settle(self, kind: str, task: str, prompt: Prompt, use: Callable[[Said], _T]) -> _T:
        """Return `use(reply)`. If `use` finds the reply unusable, tell the model why and ask again.

        Raises:
            GaveUp: No reply within `rounds` was usable, or the request was rejected or unanswered.
            Stopped: No more requests are sent.
        """
        for last in (False,) * (self._rounds - 1) + (True,):
            said = await self.ask(kind, task, prompt)
            try:
                return use(said)
            except Unusable as unusable:
                if last:
                    raise GaveUp("unusable", str(unusable), said) from None
                prompt = complained(prompt, said.text, str(unusable))
        raise AssertionError("there is a round at least")

    async def ask(self, kind: str, task: str, prompt: Prompt) -> Said:
        """Return the reply to a request, journaled or new.

        Raises:
            GaveUp: The server rejected the request, or none answered.
            Stopped: No more requests are sent.
        """
        key = self._key(kind, prompt)
        while key in self._open:
            await self._open[key].wait()
        known = self._journal.find(key) or self._journal.find(_cut(key, self._models[kind]))
        if known is not None:
            self.remembered += 1
            return known
        self._open[key] = anyio.Event()
        try:
            return await self._send(key, kind, task, prompt)
        finally:
            self._open.pop(key).set()

    async def _send(self, key: str, kind: str, task: str, prompt: Prompt) -> Said:
        if self.stop_reason:
            raise Stopped(self.stop_reason)
        try:
            completion = await self._clients[kind].complete(prompt, {})
        except BudgetSpent as error:
            self.stop(str(error))
            raise Stopped(self.stop_reason) from None
        except PolicyRejected as error:
            self._rejected += 1
            if not self.asked and self._rejected >= _MOST_REJECTED:
                self.stop(str(error))
            raise GaveUp("refused", str(error)) from None
        except PolicyUnavailable as error:
            self._silent += 1
            if self._silent >= _MOST_SILENT:
                self.stop(str(error))
            raise GaveUp("unanswered", str(error)) from None
        said = Said(
            kind=kind,
            task=task,
            model=completion.model or self._models[kind].model,
            text=completion.text,
            finish=completion.finish,
            prompt_tokens=completion.prompt_tokens,
            sampled_tokens=completion.sampled_tokens,
            dollars=completion.cost,
        )
        self._journal.keep(_cut(key, self._models[kind]) if said.finish == "length" else key, said)
        self.asked += 1
        self._dollars += said.dollars
        self._silent = 0
        return said

    def _key(self, kind: str, prompt: Prompt) -> str:
        model = self._models[kind]
        sampling = [model.temperature, model.top_p, model.top_k, model.extra_body]
        return _hashed(model.model, sampling, kind, prompt.version, _words(prompt))


def _cut(key: str, model: ModelConfig) -> str:
    """Key of a truncated reply: raising `max_tokens` asks again for these only."""
    return _hashed(key, model.max_tokens)


def _words(prompt: Prompt) -> list[tuple[str, str]]:
    return [(message.role, message.text) for message in prompt.messages]


def _hashed(*told: object) -> str:
    return hashlib.blake2b(msgspec.json.encode(told), digest_size=20).hexdigest()


@asynccontextmanager
async def open_journaled_client(
    config: ModelConfig,
    journal: Journal,
    kinds: dict[str, type],
    *,
    structured: Structured = "schema",
    rounds: int = 3,
) -> AsyncGenerator[JournaledClient]:
    """Open a client for the duration of the block; `kinds` maps each kind of request to its reply type.

    `config.budget` applies to the journal: costs of earlier runs count.
    """
    ledger = Ledger(None if config.budget is None else max(0.0, config.budget - journal.dollars))
    models = {
        name: config.model_copy(update={"extra_body": config.extra_body | response_format(structured, name, kind)})
        for name, kind in kinds.items()
    }
    async with _opened(models, ledger) as clients, background() as tasks:
        tasks.start_soon(_keep_in_sync, journal)
        yield JournaledClient(clients, models, journal, rounds)


@asynccontextmanager
async def _opened(models: Mapping[str, ModelConfig], ledger: Ledger) -> AsyncGenerator[dict[str, Client]]:
    async with AsyncExitStack() as stack:
        yield {name: await stack.enter_async_context(open_client(own, ledger)) for name, own in models.items()}


async def _keep_in_sync(journal: Journal) -> None:
    while True:
        await anyio.sleep(_SYNC_SECONDS)
        await anyio.to_thread.run_sync(journal.sync)
