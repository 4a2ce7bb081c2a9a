"""Accounting of tokens and dollars against a budget."""

from __future__ import annotations

import math
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio

from webgym.errors import BudgetSpent
from webgym.llm.config import Prices
from webgym.records.base import Record
from webgym.records.prompt import Prompt, Text

_BYTES_A_TOKEN = 3.0
_PIXELS_A_TOKEN = 750.0
_TOKENS_A_MESSAGE = 16
"""Conservative initial estimates, corrected by the servers' token counts."""
_MILLION = 1e6


class Usage(Record, frozen=True):
    """Token counts of one request."""

    prompt: int
    sampled: int
    cached: int = 0
    """Cached prompt tokens, included in `prompt`."""


class Spending(Record, frozen=True):
    """Totals of all requests so far."""

    requests: int = 0
    prompt_tokens: int = 0
    sampled_tokens: int = 0
    dollars: float = 0.0
    reserved: float = 0.0
    """Maximum dollars that the requests in flight may cost."""
    budget: float | None = None


def cost(prices: Prices, usage: Usage) -> float:
    """Return the cost in US dollars."""
    cached_price = prices.prompt if prices.cached is None else prices.cached
    cached = min(usage.cached, usage.prompt)
    dollars = (usage.prompt - cached) * prices.prompt + cached * cached_price + usage.sampled * prices.sampled
    return dollars / _MILLION


def guess_tokens(prompt: Prompt) -> int:
    """Estimate the number of tokens of a prompt without the model's tokenizer."""
    texts = [part.text for message in prompt.messages for part in message.parts if isinstance(part, Text)]
    words = sum(len(text.encode(errors="replace")) for text in (*texts, *prompt.tools))
    pixels = sum(picture.width * picture.height for picture in prompt.pictures)
    frame = _TOKENS_A_MESSAGE * (len(prompt.messages) + len(prompt.pictures))
    return math.ceil(words / _BYTES_A_TOKEN + pixels / _PIXELS_A_TOKEN) + frame


class LedgerEntry:
    """A request in flight."""

    def __init__(self, guess: int, most: Usage, dollars: float) -> None:
        self.guess = guess
        self.most = most
        self.dollars = dollars
        self.usage: Usage | None = None
        """Actual usage; None if there was no reply."""


class Ledger:
    """Sums up tokens and dollars. Clients that share a ledger share its budget.

    Each request reserves its maximum cost. One that exceeds the budget only because of reservations waits for requests
    in flight to settle.
    """

    def __init__(self, budget: float | None = None) -> None:
        self._budget = budget
        self._requests = self._prompt_tokens = self._sampled_tokens = 0
        self._dollars = 0.0
        self._open: set[LedgerEntry] = set()
        self._settled = anyio.Event()
        self._correction = 1.0
        """Highest ratio so far of actual to estimated prompt tokens."""

    @property
    def spending(self) -> Spending:
        """Totals so far."""
        return Spending(
            requests=self._requests,
            prompt_tokens=self._prompt_tokens,
            sampled_tokens=self._sampled_tokens,
            dollars=self._dollars,
            reserved=self._reserved(),
            budget=self._budget,
        )

    @asynccontextmanager
    async def entry(self, prices: Prices, prompt: Prompt, max_tokens: int) -> AsyncGenerator[LedgerEntry]:
        """Reserve the maximum cost of one request; the entry's `usage` is charged when the block exits.

        Raises:
            BudgetSpent: The request could cost more than the remaining budget.
        """
        guess = guess_tokens(prompt)
        most = Usage(math.ceil(guess * self._correction), max_tokens)
        entry = LedgerEntry(guess, most, cost(prices, most))
        await self._room_for(entry.dollars)
        self._open.add(entry)
        try:
            yield entry
        finally:
            self._open.remove(entry)
            if entry.usage is not None:
                self._charge(prices, entry.guess, entry.usage)
            self._settled.set()
            self._settled = anyio.Event()

    async def _room_for(self, dollars: float) -> None:
        while self._budget is not None and self._dollars + self._reserved() + dollars > self._budget:
            if not self._open or self._dollars + dollars > self._budget:
                raise BudgetSpent(
                    f"${self._dollars:.4f} of ${self._budget:.4f} are spent and the next request may cost "
                    f"${dollars:.4f}: raise `budget`, or lower `max_tokens`"
                )
            await self._settled.wait()

    def _reserved(self) -> float:
        return sum(entry.dollars for entry in self._open)

    def _charge(self, prices: Prices, guess: int, usage: Usage) -> None:
        self._correction = max(self._correction, usage.prompt / max(1, guess))
        self._requests += 1
        self._prompt_tokens += usage.prompt
        self._sampled_tokens += usage.sampled
        self._dollars += cost(prices, usage)
