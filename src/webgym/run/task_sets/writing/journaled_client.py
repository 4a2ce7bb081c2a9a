"""The client for models that write tasks: answers from the journal where possible, else over the network."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Literal, TypeVar

import anyio
import anyio.to_thread

from webgym.concurrency import background
from webgym.errors import BudgetSpent, PolicyRejected, PolicyUnavailable
from webgym.llm.client import Client
from webgym.llm.config import ModelConfig
from webgym.llm.ledger import Ledger
from webgym.llm.paid_reply import PaidReply
from webgym.llm.paid_requests import PaidRequests, open_clients
from webgym.llm.reply_file import FileReplyStore
from webgym.llm.structured import Structured, response_format
from webgym.records.prompt import Completion, Prompt
from webgym.run.task_sets.writing.prompt_files import complained
from webgym.run.task_sets.writing.structured import Unusable

_T = TypeVar("_T")
_SYNC_SECONDS = 1.0
_MOST_REJECTED = 8
"""Rejected requests before any reply after which the fault is presumed to be in the setup, not in the tasks."""
_MOST_SILENT = 16
"""Consecutive unanswered requests, after all retries, after which the servers are presumed down."""


class RequestStop(Exception):
    """No more requests are sent; the message says why: budget spent, servers down, or interrupted by the user."""


Fault = Literal["unusable", "refused", "unanswered"]
"""No reply was usable; the server rejected the request; no server answered. Only the last is worth another run."""


class GaveUp(Exception):
    """There is no usable reply; the message says why."""

    def __init__(self, fault: Fault, reason: str, said: PaidReply | None = None) -> None:
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
        self, clients: Mapping[str, Client], models: Mapping[str, ModelConfig], journal: FileReplyStore, rounds: int
    ) -> None:
        self.stop_reason = ""
        self.asked = 0
        """Number of requests that were paid for."""
        self.remembered = 0
        """Number of requests answered from the journal."""
        self._clients = clients
        self._models = models
        self._requests = PaidRequests(journal)
        self._rounds = rounds
        self._rejected = self._silent = 0
        self._before = journal.dollars
        self._dollars = 0.0

    @property
    def dollars(self) -> float:
        """Dollars spent over all runs with this journal."""
        return self._before + self._dollars

    def stop(self, reason: str) -> None:
        """Send no more requests; those in flight finish, as they are paid for."""
        self.stop_reason = self.stop_reason or reason

    async def settle(self, kind: str, task: str, prompt: Prompt, use: Callable[[PaidReply], _T]) -> _T:
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

    async def ask(self, kind: str, task: str, prompt: Prompt) -> PaidReply:
        """Return the reply to a request, journaled or new.

        Raises:
            GaveUp: The server rejected the request, or none answered.
            Stopped: No more requests are sent.
        """
        model = self._models[kind]
        reply, fresh = await self._requests.reply(model, kind, task, prompt, {}, lambda: self._send(kind, prompt))
        if fresh:
            self.asked += 1
            self._dollars += reply.dollars
        else:
            self.remembered += 1
        return reply

    async def _send(self, kind: str, prompt: Prompt) -> Completion:
        if self.stop_reason:
            raise RequestStop(self.stop_reason)
        try:
            completion = await self._clients[kind].complete(prompt, {})
        except BudgetSpent as error:
            self.stop(str(error))
            raise RequestStop(self.stop_reason) from None
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
        self._silent = 0
        return completion


@asynccontextmanager
async def open_journaled_client(
    config: ModelConfig,
    journal: FileReplyStore,
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
    async with open_clients(models, ledger) as clients, background() as tasks:
        tasks.start_soon(_keep_in_sync, journal)
        yield JournaledClient(clients, models, journal, rounds)


async def _keep_in_sync(journal: FileReplyStore) -> None:
    while True:
        await anyio.sleep(_SYNC_SECONDS)
        await anyio.to_thread.run_sync(journal.sync)
