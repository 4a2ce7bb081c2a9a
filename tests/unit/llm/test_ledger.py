"""Tokens and dollars, and a budget that is kept."""

from __future__ import annotations

import anyio
import pytest

from webgym.errors import BudgetSpent
from webgym.llm.config import Prices
from webgym.llm.ledger import Ledger, Usage, cost, guess_tokens
from webgym.records.prompt import Message, Picture, Prompt, Text

HELLO = Prompt((Message("user", (Text("hello"),)),))
PRICES = Prices(prompt=1e6, sampled=1e6)
GUESS = guess_tokens(HELLO)


def test_cost_counts_cached_tokens_at_their_own_price():
    prices = Prices(prompt=2.0, cached=0.5, sampled=8.0)
    assert cost(prices, Usage(prompt=1_000_000, sampled=500_000, cached=400_000)) == pytest.approx(1.2 + 0.2 + 4.0)
    assert cost(Prices(prompt=2.0), Usage(1_000_000, 0, cached=400_000)) == pytest.approx(2.0)


def test_a_prompt_is_guessed_to_have_more_tokens_the_more_words_and_pixels_it_has():
    wordy = Prompt((Message("user", (Text("hello " * 100),)),))
    shown = Prompt((Message("user", (Text("hello"), Picture("sha256:0", 1280, 720))),))
    assert GUESS < guess_tokens(wordy) < 600
    assert 1_000 < guess_tokens(shown) < 2_000


@pytest.mark.anyio
async def test_prompts_that_had_more_tokens_than_guessed_make_later_guesses_higher():
    ledger = Ledger()
    for used in (3 * GUESS, GUESS):
        async with ledger.entry(PRICES, HELLO, 10) as entry:
            entry.usage = Usage(used, 1)
    async with ledger.entry(PRICES, HELLO, 10) as entry:
        assert entry.most == Usage(3 * GUESS, 10)


@pytest.mark.anyio
async def test_a_request_without_a_reply_is_not_charged_and_its_reserve_is_free_again():
    ledger = Ledger(budget=1e9)
    async with ledger.entry(PRICES, HELLO, 10):
        assert ledger.spending.reserved == GUESS + 10
    assert (ledger.spending.dollars, ledger.spending.reserved) == (0.0, 0.0)


@pytest.mark.anyio
async def test_a_request_waits_for_others_that_may_cost_less_than_they_could():
    ledger = Ledger(budget=1.5 * (GUESS + 10))
    entered = anyio.Event()

    async def second() -> None:
        async with ledger.entry(PRICES, HELLO, 10) as entry:
            entered.set()
            entry.usage = Usage(1, 1)

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            async with ledger.entry(PRICES, HELLO, 10) as first:
                tasks.start_soon(second)
                await anyio.wait_all_tasks_blocked()
                assert not entered.is_set()
                first.usage = Usage(1, 1)
    assert ledger.spending.dollars == 4.0


@pytest.mark.anyio
async def test_a_request_that_waited_is_refused_once_the_money_is_gone():
    ledger = Ledger(budget=1.5 * (GUESS + 10))
    refused = anyio.Event()

    async def second() -> None:
        with pytest.raises(BudgetSpent):
            async with ledger.entry(PRICES, HELLO, 10):
                pass
        refused.set()

    with anyio.fail_after(30):
        async with anyio.create_task_group() as tasks:
            async with ledger.entry(PRICES, HELLO, 10) as first:
                tasks.start_soon(second)
                await anyio.wait_all_tasks_blocked()
                first.usage = Usage(GUESS, 10)
    assert refused.is_set()
