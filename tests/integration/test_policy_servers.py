"""Policies over real HTTP: whatever the servers do, errors are typed, waits are bounded, and recovery needs nobody."""

from __future__ import annotations

import io
import logging
import os
import sys
from collections import Counter
from contextlib import AsyncExitStack, asynccontextmanager

import aiohttp
import anyio
import pytest
from PIL import Image

from webgym.agent.policies.served import ServedPolicy
from webgym.errors import BudgetSpent, ConfigError, PolicyRejected, PolicyUnavailable
from webgym.llm.config import ModelConfig, Prices, Retries, Timeouts
from webgym.llm.ledger import Ledger, guess_tokens
from webgym.records.observation import address_of
from webgym.records.prompt import Message, Picture, Prompt, Text, ToolCall, unpack_ids, unpack_logprobs
from webgym.stages import Policy
from webgym.testing.policy_faults import (
    Busy,
    CutShort,
    Drop,
    ErrorStatus,
    Flood,
    Garbage,
    Slow,
    Stall,
    WrongType,
)
from webgym.testing.policy_replies import END_ID, PICTURE_ID, PolicyRequest, Say
from webgym.testing.policy_server import PolicyServer, serving_policy

pytestmark = pytest.mark.anyio

KEY = "sk-very-secret-0123456789"
QUICK = Retries(tries=3, pause=0.02, longest_pause=0.1, strikes=3)
PATIENT = Timeouts(connect=20.0, first_byte=30.0, total=40.0, deadline=60.0, probe=20.0)
SHORT = PATIENT.model_copy(update={"first_byte": 0.5, "total": 1.0})
HELLO = Prompt((Message("user", (Text("hello"),)),))
ENOUGH = 60.0


@asynccontextmanager
async def serving(count: int, script="hi"):
    async with AsyncExitStack() as stack:
        yield [await stack.enter_async_context(serving_policy(script)) for _ in range(count)]


def policy_on(*servers: PolicyServer, ledger: Ledger | None = None, **changes) -> ServedPolicy:
    config = ModelConfig(
        servers=tuple(server.url for server in servers),
        model="scripted",
        **({"retries": QUICK, "timeouts": PATIENT} | changes),
    )
    return ServedPolicy(config, ledger=ledger)


async def until(condition, seconds: float = ENOUGH) -> None:
    with anyio.fail_after(seconds):
        while not condition():
            await anyio.sleep(0.01)


def timeouts_for(fault) -> Timeouts:
    return SHORT if isinstance(fault, Stall) else PATIENT


def _jpeg(colour: str) -> bytes:
    stream = io.BytesIO()
    Image.new("RGB", (64, 48), colour).save(stream, "JPEG")
    return stream.getvalue()


async def test_a_served_policy_is_a_policy_and_says_what_the_server_says():
    async with serving_policy("click it") as server, policy_on(server) as policy:
        completion = await policy.sample(HELLO, {})
    assert isinstance(policy, Policy)
    assert (completion.text, completion.finish, completion.server) == ("click it", "stop", server.url)
    assert (completion.prompt_tokens, completion.sampled_tokens) == (len("hello"), len("click it") + 1)
    assert completion.tokens is None
    assert completion.seconds > 0


async def test_pictures_arrive_byte_for_byte_and_in_order():
    jpegs = [_jpeg("red"), _jpeg("blue")]
    pictures = {address_of(data): data for data in jpegs}
    parts = (Text("before"), *(Picture(address_of(data), 64, 48) for data in jpegs), Text("after"))
    prompt = Prompt((Message("system", (Text("rules"),)), Message("user", parts)))
    async with serving_policy("ok") as server, policy_on(server) as policy:
        await policy.sample(prompt, pictures)
        ask = server.asks[0]
    assert ask.pictures == jpegs
    assert [part["type"] for part in ask.parts] == ["text", "text", "image_url", "image_url", "text"]
    assert ask.parts[2]["image_url"]["url"].startswith("data:image/jpeg;base64,")
    assert ask.body["messages"][0] == {"role": "system", "content": "rules"}


async def test_tools_travel_as_they_are_and_calls_and_thoughts_come_back_apart():
    tool = '{"type": "function", "function": {"name": "computer_use", "parameters": {"type": "object"}}}'
    said = Say("", reasoning="left?", calls=(ToolCall("computer_use", '{"action": "wait"}'),), finish="tool_calls")
    async with serving_policy([said]) as server, policy_on(server) as policy:
        completion = await policy.sample(Prompt(HELLO.messages, tools=(tool,)), {})
        assert server.asks[0].body["tools"][0]["function"]["name"] == "computer_use"
    assert completion.calls == said.calls
    assert (completion.reasoning, completion.finish) == ("left?", "tool")


@pytest.mark.parametrize("api", ["vllm", "sglang"])
async def test_token_ids_logprobs_and_versions_come_where_the_server_gives_them(api: str):
    shot = _jpeg("red")
    prompt = Prompt((Message("user", (Text("a"), Picture(address_of(shot), 64, 48))),))
    async with serving_policy("yes") as server, policy_on(server, api=api) as policy:
        server.version = 7
        completion = await policy.sample(prompt, {address_of(shot): shot})
    tokens = completion.tokens
    assert tokens is not None
    assert list(unpack_ids(tokens.prompt)) == [ord("a"), *[PICTURE_ID] * 4]
    assert list(unpack_ids(tokens.sampled)) == [*b"yes", END_ID]
    assert len(unpack_logprobs(tokens.logprobs)) == 4
    assert all(logprob <= 0 for logprob in unpack_logprobs(tokens.logprobs))
    assert (completion.version, list(unpack_ids(tokens.versions))) == (7, [7] * 4)
    assert (tokens.temperature, tokens.top_p, tokens.top_k) == (1.0, 1.0, 0)


async def test_servers_of_models_are_told_how_to_sample_even_by_default():
    async with serving_policy("yes") as server, policy_on(server, api="vllm") as policy:
        await policy.sample(HELLO, {})
        body = server.asks[0].body
    assert (body["temperature"], body["top_p"], body["top_k"]) == (1.0, 1.0, -1)
    assert (body["min_p"], body["repetition_penalty"]) == (0.0, 1.0)


FAILURES = [
    (ErrorStatus(500), "the engine is dead", {"server_error"}),
    (ErrorStatus(503, "loading"), "loading", {"server_error"}),
    (Busy(), "too many requests", {"busy"}),
    (Stall(), "no reply in 0.5 s", {"timeout"}),
    (Stall(after="headers"), "no whole reply in 1 s", {"timeout"}),
    (Drop(), "the connection broke", {"dropped"}),
    (Drop(after="headers"), "the connection broke", {"dropped"}),
    (Garbage(), "It works!", {"garbage"}),
    (Garbage("[]", "application/json"), "not a chat completion", {"garbage"}),
    (Garbage('{"choices": []}', "application/json"), "without choices", {"garbage"}),
    (Garbage('{"choices": [{"message": {"content": 7}}]}', "application/json"), "not a chat completion", {"garbage"}),
    (Garbage("[" * 100_000, "application/json"), "not a chat completion", {"garbage"}),
    (Garbage("\x00\udcff\udcfe", "application/json"), "not a chat completion", {"garbage"}),
    (CutShort(), "not a chat completion", {"garbage"}),
    (Flood(), "more than 16777216 bytes", {"garbage"}),
]


@pytest.mark.parametrize(("fault", "words", "kinds"), FAILURES, ids=lambda value: repr(value)[:40])
async def test_a_failing_server_is_a_typed_bounded_and_visible_error_and_is_used_again_once_it_is_well(
    fault, words, kinds
):
    async with serving_policy("hi") as server, policy_on(server, timeouts=timeouts_for(fault)) as policy:
        server.fail(fault)
        with anyio.fail_after(ENOUGH), pytest.raises(PolicyUnavailable, match=words) as caught:
            await policy.sample(HELLO, {})
        assert server.url in str(caught.value)
        assert len(str(caught.value)) < 1_000
        assert server.count == QUICK.tries
        shown = policy.status()
        assert (shown.requests, shown.retries, shown.failed) == (1, QUICK.tries - 1, 1)
        assert shown.servers[0].errors.keys() == kinds
        assert words in shown.servers[0].last_error
        server.mend()
        with anyio.fail_after(ENOUGH):
            assert (await policy.sample(HELLO, {})).text == "hi"
        assert policy.status().servers[0].state == "healthy"


@pytest.mark.parametrize("fault", [fault for fault, _, _ in FAILURES], ids=lambda value: repr(value)[:40])
async def test_a_failure_that_passes_is_not_noticed_by_the_caller(fault):
    changes = {"timeouts": timeouts_for(fault), "retries": QUICK.model_copy(update={"tries": 10})}
    async with serving_policy("hi") as server, policy_on(server, **changes) as policy:
        server.fail(fault, times=2)
        with anyio.fail_after(ENOUGH):
            assert (await policy.sample(HELLO, {})).text == "hi"
        assert server.count >= 3
        assert policy.status().failed == 0


async def test_a_slow_reply_and_one_under_a_wrong_media_type_are_replies():
    async with serving_policy("hi") as server, policy_on(server) as policy:
        for fault in (Slow(0.05), WrongType()):
            server.fail(fault)
            assert (await policy.sample(HELLO, {})).text == "hi"
        assert policy.status().retries == 0


async def test_a_server_that_is_not_there_is_waited_for_until_the_deadline():
    async with serving_policy("hi") as server:
        pass
    timeouts = Timeouts(deadline=1.0)
    async with policy_on(server, timeouts=timeouts) as policy:
        with anyio.fail_after(ENOUGH), pytest.raises(PolicyUnavailable, match=r"in 1 s.*cannot connect"):
            await policy.sample(HELLO, {})
        assert policy.status().servers[0].errors["unreachable"] > QUICK.tries


async def test_a_server_that_restarts_is_found_again():
    async with serving_policy("before") as server:
        port = int(server.url.removesuffix("/v1").rpartition(":")[2])
    async with policy_on(server) as policy, anyio.create_task_group() as tasks:
        replies: list[str] = []

        async def ask() -> None:
            replies.append((await policy.sample(HELLO, {})).text)

        tasks.start_soon(ask)
        await until(lambda: policy.status().servers[0].state != "healthy")
        async with serving_policy("after", port=port):
            await until(lambda: bool(replies))
    assert replies == ["after"]


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (400, "the server refused the request"),
        (401, "api_key_env"),
        (403, "api_key_env"),
        (404, "check `model`"),
        (413, "smaller pictures"),
        (422, "the server refused the request"),
    ],
)
async def test_a_request_that_the_server_will_not_take_is_sent_once_and_the_error_says_what_to_change(status, words):
    async with serving_policy("hi") as server, policy_on(server) as policy:
        server.fail(ErrorStatus(status, "because of the moon"))
        with pytest.raises(PolicyRejected, match=words) as caught:
            await policy.sample(HELLO, {})
        assert "because of the moon" in str(caught.value)
        assert server.count == 1
        assert policy.status().servers[0].errors == {"rejected": 1}


async def test_a_redirect_is_not_followed_with_the_key(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("POLICY_KEY", KEY)
    async with serving(2) as (server, elsewhere), policy_on(server, api_key_env="POLICY_KEY") as policy:
        server.fail(ErrorStatus(307, headers={"Location": f"{elsewhere.url}/chat/completions"}))
        with pytest.raises(PolicyRejected, match="redirects"):
            await policy.sample(HELLO, {})
        assert elsewhere.count == 0


async def test_a_picture_without_bytes_is_never_sent():
    prompt = Prompt((Message("user", (Picture("sha256:0", 1, 1),)),))
    async with serving_policy("hi") as server, policy_on(server) as policy:
        with pytest.raises(PolicyRejected, match="sha256:0"):
            await policy.sample(prompt, {})
        assert server.count == 0


async def test_the_time_a_busy_server_asks_for_is_honoured():
    async with serving_policy("hi") as server, policy_on(server) as policy:
        server.fail(Busy("1"), times=1)
        began = anyio.current_time()
        await policy.sample(HELLO, {})
        assert anyio.current_time() - began >= 1.0
        assert server.count == 2


async def test_a_busy_server_gets_fewer_requests_at_once_and_then_more_again():
    async with serving_policy("hi") as server, policy_on(server, concurrency=8) as policy:
        server.fail(Busy("0"), times=1)
        await policy.sample(HELLO, {})
        assert policy.status().servers[0].limit == 4
        for _ in range(40):
            await policy.sample(HELLO, {})
        assert policy.status().servers[0].limit == 8


async def test_waiting_longer_than_the_deadline_for_a_busy_server_is_an_error_at_the_deadline():
    timeouts = PATIENT.model_copy(update={"deadline": 1.0})
    async with serving_policy("hi") as server, policy_on(server, timeouts=timeouts) as policy:
        server.fail(Busy("3600"))
        with anyio.fail_after(ENOUGH), pytest.raises(PolicyUnavailable, match="too many requests"):
            await policy.sample(HELLO, {})
        assert server.count == 1


async def test_no_server_gets_more_at_once_than_its_limit_and_none_waits_for_ever():
    async with serving_policy("hi") as server, policy_on(server, concurrency=3) as policy:
        server.fail(Slow(0.02))
        with anyio.fail_after(ENOUGH):
            async with anyio.create_task_group() as tasks:
                for _ in range(20):
                    tasks.start_soon(policy.sample, HELLO, {})
        assert server.count == 20
        assert server.peak <= 3
        assert (policy.status().waiting, policy.status().servers[0].in_flight) == (0, 0)


async def test_more_that_wait_than_may_wait_are_refused():
    changes = {"concurrency": 1, "waiting": 1}
    async with serving_policy("hi") as server, policy_on(server, **changes) as policy:
        server.fail(Stall())
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(policy.sample, HELLO, {})
            tasks.start_soon(policy.sample, HELLO, {})
            await until(lambda: policy.status().waiting == 1)
            with pytest.raises(PolicyUnavailable, match="already queued"):
                await policy.sample(HELLO, {})
            tasks.cancel_scope.cancel()
        assert (policy.status().waiting, policy.status().servers[0].in_flight) == (0, 0)


async def test_a_request_goes_to_another_server_when_one_fails():
    async with serving(2) as (broken, well), policy_on(broken, well) as policy:
        broken.fail(ErrorStatus())
        for number in range(20):
            completion = await policy.sample(HELLO, {}, affinity=f"attempt-{number}")
            assert completion.server == well.url
        shown = policy.status()
        assert shown.failed == 0
        assert shown.moved == broken.count > 0
        assert shown.servers[0].state != "healthy" or broken.count < QUICK.strikes


async def test_a_server_that_is_well_again_gets_requests_again():
    async with serving(2) as (one, other), policy_on(one, other) as policy:
        one.fail(Drop())
        for number in range(20):
            await policy.sample(HELLO, {}, affinity=str(number))
        assert policy.status().servers[0].state != "healthy"
        one.mend()
        with anyio.fail_after(ENOUGH):
            while one.replies == 0:
                await policy.sample(HELLO, {}, affinity=str(one.count))
                await policy.sample(HELLO, {}, affinity=str(other.count))
        assert policy.status().servers[0].state == "healthy"
        assert one.probes >= 1


async def test_the_same_affinity_goes_to_the_same_server_and_all_servers_are_used():
    async with serving(3) as servers, policy_on(*servers) as policy:
        homes: dict[str, set[str]] = {}
        for _ in range(4):
            for number in range(30):
                completion = await policy.sample(HELLO, {}, affinity=f"attempt-{number}")
                homes.setdefault(f"attempt-{number}", set()).add(completion.server)
        assert all(len(home) == 1 for home in homes.values())
        spread = Counter(home.pop() for home in homes.values())
        assert len(spread) == 3


async def test_when_a_server_is_set_aside_only_its_own_conversations_move_and_they_come_back():
    async with serving(3) as servers, policy_on(*servers) as policy:
        names = [f"attempt-{number}" for number in range(30)]

        async def homes() -> dict[str, str]:
            return {name: (await policy.sample(HELLO, {}, affinity=name)).server for name in names}

        before = await homes()
        servers[0].fail(ErrorStatus())
        during = await homes()
        assert all(during[name] == home for name, home in before.items() if home != servers[0].url)
        assert all(home != servers[0].url for home in during.values())
        servers[0].mend()
        await until(lambda: policy.status().servers[0].state != "set_aside")
        await homes()
        assert await homes() == before


async def _loads(servers: list[PolicyServer], policy: ServedPolicy, requests: int, affinity: str) -> list[int]:
    """How many of so many requests at once each server gets."""
    for server in servers:
        server.fail(Stall())
    async with anyio.create_task_group() as tasks:
        for _ in range(requests):
            tasks.start_soon(lambda: policy.sample(HELLO, {}, affinity=affinity))
        await until(lambda: sum(one.in_flight for one in policy.status().servers) == requests)
        loads = [one.in_flight for one in policy.status().servers]
        tasks.cancel_scope.cancel()
    return loads


async def test_affinity_yields_when_its_server_has_more_than_its_share():
    async with serving(2) as servers, policy_on(*servers) as policy:
        assert sorted(await _loads(servers, policy, 24, "all the same")) == [9, 15]


async def test_without_affinity_the_server_with_least_to_do_is_asked():
    async with serving(2) as servers, policy_on(*servers) as policy:
        assert await _loads(servers, policy, 10, "") == [5, 5]


async def test_a_cancelled_request_gives_its_place_back():
    async with serving_policy("hi") as server, policy_on(server, concurrency=1) as policy:
        server.fail(Stall())
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(policy.sample, HELLO, {})
            await until(lambda: server.in_flight == 1)
            tasks.start_soon(policy.sample, HELLO, {})
            await until(lambda: policy.status().waiting == 1)
            tasks.cancel_scope.cancel()
        await until(lambda: server.in_flight == 0)
        server.mend()
        assert (await policy.sample(HELLO, {})).text == "hi"


async def test_requests_under_way_survive_servers_that_fail_in_all_ways_at_random():
    """What many attempts at once see when every server misbehaves in turn: every request is answered."""
    faults = [fault for fault, _, _ in FAILURES if not isinstance(fault, Flood)]
    retries = Retries(tries=50, pause=0.01, longest_pause=0.1, strikes=3)
    changes = {"retries": retries, "timeouts": SHORT, "concurrency": 16}
    async with serving(3) as servers, policy_on(*servers, **changes) as policy:
        replies: list[str] = []

        async def ask(name: str) -> None:
            replies.extend([(await policy.sample(HELLO, {}, affinity=name)).text for _ in range(3)])

        with anyio.fail_after(100):
            async with anyio.create_task_group() as tasks:
                for number in range(60):
                    tasks.start_soon(ask, f"attempt-{number}")
                for number, fault in enumerate(faults):
                    servers[number % 3].fail(fault, times=5)
                    await anyio.sleep(0.02)
                for server in servers:
                    server.mend()
        shown = policy.status()
        assert replies == ["hi"] * 180
        assert (shown.requests, shown.failed, shown.waiting) == (180, 0, 0)
        assert shown.retries >= sum(server.count for server in servers) - 180 > 0
        assert all(server.in_flight == 0 for server in shown.servers)


async def test_the_key_reaches_the_server_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    caplog.set_level(logging.DEBUG)
    monkeypatch.setenv("POLICY_KEY", KEY)
    async with serving_policy("hi") as server, policy_on(server, api_key_env="POLICY_KEY") as policy:
        await policy.sample(HELLO, {})
        assert server.asks[0].headers["Authorization"] == f"Bearer {KEY}"
        told: list[object] = [policy, vars(policy), policy.status()]
        for fault in (
            ErrorStatus(401, f"wrong key {KEY}"),
            ErrorStatus(500, KEY),
            Garbage(f"<p>Bearer {KEY}</p>"),
            Drop(),
        ):
            server.fail(fault)
            with pytest.raises((PolicyRejected, PolicyUnavailable)) as caught:
                await policy.sample(HELLO, {})
            error: BaseException | None = caught.value
            while error is not None:
                told += [error, error.args, vars(error)]
                error = error.__cause__ or error.__context__
            told.append(policy.status())
    assert KEY not in f"{told!r} {[str(one) for one in told]} {caplog.text}"
    assert "***" in str(told)


@pytest.mark.parametrize("key", ["EMPTY", "none", "1"])
async def test_a_word_that_stands_for_no_key_may_be_in_a_reply(monkeypatch: pytest.MonkeyPatch, key: str):
    monkeypatch.setenv("POLICY_KEY", key)
    async with serving_policy(f"it says {key} 1") as server, policy_on(server, api_key_env="POLICY_KEY") as policy:
        assert (await policy.sample(HELLO, {})).text == f"it says {key} 1"
        server.fail(ErrorStatus(401, f"wrong key {key}"))
        with pytest.raises(PolicyRejected) as caught:
            await policy.sample(HELLO, {})
        assert f"key {key}" not in str(caught.value)


@pytest.mark.parametrize(
    ("value", "words"), [("", "has no value"), ("sk-\u00e9", "contains characters that are not valid in a key")]
)
async def test_a_key_that_is_missing_or_cannot_be_one_is_refused_at_the_start(monkeypatch, value, words):
    monkeypatch.setenv("POLICY_KEY", value)
    async with serving_policy("hi") as server:
        with pytest.raises(ConfigError, match=f"POLICY_KEY {words}"):
            async with policy_on(server, api_key_env="POLICY_KEY"):
                pass


PRICES = Prices(prompt=1_000_000.0, sampled=1_000_000.0)
"""A dollar a token: sums that can be counted."""
MOST = guess_tokens(HELLO) + 10.0
"""What a request with ten tokens may cost."""


async def test_cost_is_known_for_each_reply_and_in_sum():
    async with serving_policy("hi") as server, policy_on(server, prices=PRICES) as policy:
        completion = await policy.sample(HELLO, {})
        await policy.sample(HELLO, {})
        spending = policy.status().spending
    assert completion.cost == len("hello") + len("hi") + 1 == 8.0
    assert (spending.dollars, spending.prompt_tokens, spending.sampled_tokens) == (16.0, 10, 6)


async def test_a_request_that_could_go_over_the_budget_is_not_sent():
    async with serving_policy("hi") as server:
        async with policy_on(server, prices=PRICES, budget=50.0, max_tokens=10) as policy:
            while policy.status().spending.dollars < 50.0 - MOST:
                await policy.sample(HELLO, {})
            sent = server.count
            with pytest.raises(BudgetSpent, match=r"of \$50"):
                await policy.sample(HELLO, {})
            assert server.count == sent > 0


async def test_many_at_once_do_not_go_over_the_budget_together_and_use_what_is_there():
    async with serving_policy("hi") as server:
        async with policy_on(server, prices=PRICES, budget=100.0, max_tokens=10) as policy:
            refused: list[BudgetSpent] = []

            async def ask() -> None:
                try:
                    await policy.sample(HELLO, {})
                except BudgetSpent as error:
                    refused.append(error)

            async with anyio.create_task_group() as tasks:
                for _ in range(30):
                    tasks.start_soon(ask)
            spent = policy.status().spending.dollars
            assert 100.0 - MOST < spent <= 100.0
            assert len(refused) == 30 - server.count


async def test_failed_tries_cost_nothing_and_two_policies_can_share_a_budget():
    ledger = Ledger(budget=100.0)
    async with serving(2) as (one, other):
        changes = {"prices": PRICES, "max_tokens": 10, "ledger": ledger}
        async with policy_on(one, **changes) as policy, policy_on(other, **changes) as judge:
            one.fail(ErrorStatus(), times=2)
            await policy.sample(HELLO, {})
            await judge.sample(HELLO, {})
    assert (ledger.spending.dollars, ledger.spending.reserved, ledger.spending.requests) == (16.0, 0.0, 2)


async def test_a_policy_outside_its_block_says_so():
    async with serving_policy("hi") as server:
        with pytest.raises(ConfigError, match="async with"):
            await policy_on(server).sample(HELLO, {})


async def test_scripts_may_depend_on_the_request_and_on_its_own_chance_alone():
    def script(ask: PolicyRequest) -> str:
        return f"{len(ask.text)} {ask.chance().random()}"

    async with serving(2, script) as (one, other), policy_on(one) as first, policy_on(other) as second:
        longer = Prompt((Message("user", (Text("hello there"),)),))
        assert (await second.sample(longer, {})).text.startswith("11 ")
        assert (await first.sample(HELLO, {})).text == (await second.sample(HELLO, {})).text


async def test_the_server_is_a_process_that_can_be_told_to_fail():
    command = [sys.executable, "-m", "webgym.testing.policy_server", "--reply", "one", "--reply", "two"]
    process = await anyio.open_process(command, env=dict(os.environ), stderr=None)
    try:
        with anyio.fail_after(ENOUGH):
            assert process.stdout is not None
            url = (await process.stdout.receive()).decode().strip()
        config = ModelConfig(servers=(url,), model="scripted", retries=QUICK)
        async with ServedPolicy(config) as policy, aiohttp.ClientSession() as http:
            assert [(await policy.sample(HELLO, {})).text for _ in range(3)] == ["one", "two", "one"]
            control = f"{url.removesuffix('/v1')}/fault"
            async with http.put(control, json={"fault": {"kind": "drop"}, "times": 3}) as answer:
                assert answer.status == 204
            with pytest.raises(PolicyUnavailable, match="connection broke"):
                await policy.sample(HELLO, {})
            assert (await policy.sample(HELLO, {})).text == "two"
    finally:
        process.terminate()
        await process.aclose()
