"""The engine as it is used: in a process of its own, asked by many at once, killed, refreshed, put to sleep."""

from __future__ import annotations

import hashlib
import io
import os
import signal
from contextlib import asynccontextmanager

import anyio
import msgspec
import pytest
import torch
from PIL import Image
from tests.unit.engine.tiny import TINY, claiming, png, tiny_model, write_tiny

from webgym.engine.checkpoint import weights_digest
from webgym.engine.policy import EnginePolicy
from webgym.engine.process import open_engine
from webgym.engine.request import SamplingParams
from webgym.engine.settings import EngineSettings
from webgym.errors import ConfigError, PolicyRejected, PolicyUnavailable
from webgym.records.prompt import Message, Picture, Prompt, Text, unpack_ids, unpack_logprobs
from webgym.records.sample import PolicyVersion
from webgym.run.inference.processor import read_processor
from webgym.stages import Policy
from webgym_nano.folder import read_model, write_folder
from webgym_nano.model import new_model

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(300)]

SETTINGS = EngineSettings(device="cpu", slots=4, length=512, threads=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return write_tiny(tmp_path_factory.mktemp("engine"), seed=1)


@pytest.fixture(scope="module")
def other_folder(tmp_path_factory):
    return write_tiny(tmp_path_factory.mktemp("other"), seed=2)


@pytest.fixture(scope="module")
async def shared(folder, anyio_backend):
    """One engine for tests that leave it as it was."""
    async with open_engine(PolicyVersion(1, str(folder)), SETTINGS) as engine:
        yield engine


@asynccontextmanager
async def running(folder, settings=SETTINGS):
    with anyio.fail_after(240):
        async with open_engine(PolicyVersion(1, str(folder)), settings) as engine:
            yield engine


def prompt(number, *, pictures=1, words="Find “wool hats” for £5 — 日本"):
    data = [png(10 * number + i) for i in range(pictures)]
    addresses = [hashlib.sha256(one).hexdigest() for one in data]
    parts = [Picture(address, 128, 96) for address in addresses]
    message = Message("user", (*parts, Text(f"{words} {number}")))
    return Prompt((message,)), dict(zip(addresses, data, strict=True))


async def test_a_prompt_that_cannot_be_prepared_is_refused_and_the_engine_lives_on(shared):
    policy, pid = EnginePolicy(shared, SamplingParams(max_tokens=4), seed=1), shared.pid
    asked, pictures = prompt(71)
    with pytest.raises(PolicyRejected, match="cannot be read"):
        await policy.sample(asked, dict.fromkeys(pictures, claiming(60_000, 60_000)))
    with pytest.raises(PolicyRejected, match="cannot be prepared"):
        await policy.sample(msgspec.structs.replace(asked, tools=("{",)), pictures)
    assert (await policy.sample(*prompt(72))).sampled_tokens
    assert (shared.pid, shared.restarts) == (pid, 0)


async def test_replies_carry_the_tokens_and_logprobs_that_training_needs(shared, folder):
    asked, pictures = prompt(1, pictures=2)
    policy = EnginePolicy(shared, SamplingParams(max_tokens=16), seed=3)
    assert isinstance(policy, Policy)
    completion = await policy.sample(asked, pictures)
    tokens = completion.tokens
    ids, sampled = list(unpack_ids(tokens.prompt)), list(unpack_ids(tokens.sampled))
    assert completion.version == 1
    assert (completion.prompt_tokens, completion.sampled_tokens) == (len(ids), len(sampled))
    assert set(unpack_ids(tokens.versions)) == {1}
    # The same prompt through transformers' own processor and model.
    content = [{"type": "image"}, {"type": "image"}, {"type": "text", "text": asked.messages[0].parts[-1].text}]
    processor = read_processor(folder)
    text = processor.apply_chat_template([{"role": "user", "content": content}], add_generation_prompt=True)
    images = [Image.open(io.BytesIO(data)) for data in pictures.values()]
    made = processor(text=[text], images=images, return_tensors="pt")
    assert made["input_ids"][0].tolist() == ids
    model = read_model(folder)
    whole = torch.tensor([[*ids, *sampled]])
    made |= {"input_ids": whole, "mm_token_type_ids": (whole == 7).int(), "attention_mask": torch.ones_like(whole)}
    with torch.inference_mode():
        logits = model(**made).logits[0, len(ids) - 1 : -1]
    expected = torch.log_softmax(logits, -1).gather(-1, torch.tensor(sampled)[:, None])[:, 0]
    assert torch.allclose(torch.tensor(list(unpack_logprobs(tokens.logprobs))), expected, atol=1e-3)
    assert completion.text == processor.tokenizer.decode(sampled, skip_special_tokens=True)


async def test_many_ask_at_once_and_pictures_travel_once(shared):
    asked = [prompt(number % 5, pictures=1 + number % 2) for number in range(24)]
    said = {}

    async def ask(policy, number):
        said[number] = await policy.sample(*asked[number])

    before = await shared.state()
    policy = EnginePolicy(shared, SamplingParams(temperature=0, max_tokens=12))
    async with anyio.create_task_group() as tasks:
        for number in range(24):
            tasks.start_soon(ask, policy, number)
    # Known by its address, a picture need not be sent again: what is sent in its place is not looked at.
    one, pictures = asked[0]
    again = await policy.sample(one, dict.fromkeys(pictures, b"no picture"))
    after = await shared.state()
    assert again.tokens.sampled == said[0].tokens.sampled
    assert after.requests - before.requests == 25
    assert after.known_tokens > before.known_tokens
    for number in range(24):
        assert said[number].tokens.sampled == said[number % 10].tokens.sampled


async def test_pictures_that_the_engine_gave_up_are_sent_again(folder):
    forgetful = msgspec.structs.replace(SETTINGS, picture_bytes=0, feature_bytes=0, prefix_bytes=0)
    async with running(folder, forgetful) as engine:
        policy = EnginePolicy(engine, SamplingParams(temperature=0, max_tokens=8))
        first = await policy.sample(*prompt(1))
        again = await policy.sample(*prompt(1))
    assert first.tokens == again.tokens


async def test_a_killed_engine_is_a_typed_error_and_comes_back_with_the_last_weights(folder, other_folder):
    asked = prompt(1)
    async with running(folder) as engine:
        policy = EnginePolicy(engine, SamplingParams(temperature=0, max_tokens=8))
        await engine.refresh(PolicyVersion(2, str(other_folder)))
        before = await policy.sample(*asked)
        first = engine.pid
        os.kill(first, signal.SIGSTOP)  # so that the request is under way when it dies
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(expect_unavailable, engine, asked)
            await anyio.wait_all_tasks_blocked()
            os.kill(first, signal.SIGKILL)
        after = await policy.sample(*asked)
        assert engine.pid not in {None, first}
        assert engine.restarts == 1
    assert after.tokens == before.tokens
    assert after.version == 2


async def expect_unavailable(engine, asked):
    with pytest.raises(PolicyUnavailable, match="died"):
        await engine.ask(*asked, SamplingParams(max_tokens=8), seed=0)


async def test_a_policy_outlives_its_engine_within_the_deadline(folder):
    said = {}

    async def ask(policy, number):
        said[number] = await policy.sample(*prompt(number))

    async with running(folder) as engine:
        policy = EnginePolicy(engine, SamplingParams(max_tokens=200), seed=1, deadline=200)
        async with anyio.create_task_group() as tasks:
            for number in range(8):
                tasks.start_soon(ask, policy, number)
            while (await engine.state()).running == 0:
                await anyio.sleep(0.01)
            os.kill(engine.pid, signal.SIGKILL)
        assert engine.restarts == 1
    assert len(said) == 8


async def test_a_deadline_is_kept_and_the_request_given_up(shared):
    with pytest.raises(PolicyUnavailable, match="no reply in"):
        await shared.ask(*prompt(1), SamplingParams(max_tokens=400), seed=0, deadline=0.001)
    with anyio.fail_after(60):
        while (state := await shared.state()).running + state.waiting:
            await anyio.sleep(0.01)


async def test_more_than_may_wait_are_refused_at_once(folder):
    small = msgspec.structs.replace(SETTINGS, slots=1, waiting=1)
    refused = []

    async def ask(engine, number):
        try:
            await engine.ask(*prompt(number), SamplingParams(max_tokens=100), seed=0)
        except PolicyUnavailable as error:
            refused.append(str(error))

    async with running(folder, small) as engine, anyio.create_task_group() as tasks:
        for number in range(5):
            tasks.start_soon(ask, engine, number)
    assert 1 <= len(refused) <= 3  # fewer where the first was answered before the last had asked


async def test_weights_are_refreshed_under_way_and_no_request_is_lost(folder, other_folder):
    said = {}

    async def ask(policy, number):
        said[number] = await policy.sample(*prompt(number))

    async with running(folder) as engine:
        policy = EnginePolicy(engine, SamplingParams(max_tokens=300, temperature=3.0), seed=5)
        async with anyio.create_task_group() as tasks:
            for number in range(8):
                tasks.start_soon(ask, policy, number)
            while (await engine.state()).running == 0:
                await anyio.sleep(0.01)
            state = await engine.refresh(PolicyVersion(2, str(other_folder), weights_digest(other_folder)))
            assert (state.version, state.digest) == (2, weights_digest(other_folder))
    assert len(said) == 8
    versions = {version for one in said.values() for version in unpack_ids(one.tokens.versions)}
    assert versions == {1, 2}


async def test_weights_that_are_not_what_they_are_said_to_be_are_refused(shared, folder, other_folder):
    with pytest.raises(ConfigError, match="digests differ"):
        await shared.refresh(PolicyVersion(2, str(other_folder), weights_digest(folder)))
    with pytest.raises(ConfigError):
        await shared.refresh(PolicyVersion(2, str(folder / "nowhere")))
    assert (await shared.state()).version == 1
    assert (await EnginePolicy(shared, SamplingParams(max_tokens=2)).sample(*prompt(1))).version == 1


async def test_a_sleeping_engine_gives_its_memory_back_and_requests_wait(tmp_path):
    write_folder(tmp_path, new_model())  # 40 MB in float32
    async with running(tmp_path) as engine:
        policy = EnginePolicy(engine, SamplingParams(temperature=0, max_tokens=8))
        before = await policy.sample(*prompt(1))
        awake = await engine.state()
        asleep = await engine.sleep()
        assert awake.model_bytes > 40e6
        assert (asleep.asleep, asleep.model_bytes) == (True, 0)
        assert awake.resident_bytes - asleep.resident_bytes > 30e6
        said = []
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(keep, said, policy)
            while (await engine.state()).waiting == 0:
                await anyio.sleep(0.01)
            assert not said
            await engine.wake()
    assert said[0].tokens == before.tokens


async def keep(said, policy):
    said.append(await policy.sample(*prompt(1)))


async def test_an_engine_that_died_asleep_stays_asleep(folder):
    async with running(folder) as engine:
        await engine.sleep()
        os.kill(engine.pid, signal.SIGKILL)
        with anyio.fail_after(120):
            while engine.restarts == 0 or engine.pid is None:
                await anyio.sleep(0.01)
        assert (await engine.state()).asleep
        await engine.wake()
        assert await EnginePolicy(engine, SamplingParams(max_tokens=2)).sample(*prompt(1))


async def test_prompts_that_cannot_be_served_are_refused_and_others_go_on(shared):
    policy = EnginePolicy(shared, SamplingParams(max_tokens=4))
    _, pictures = prompt(1)
    unread, read = prompt(77)
    for bad, sent in (
        (prompt(1, words="<|image_pad|>")[0], pictures),
        (unread, dict.fromkeys(read, b"no picture")),
        (prompt(1, words="x" * 600)[0], pictures),
    ):
        with pytest.raises(PolicyRejected):
            await policy.sample(bad, sent)
    # A picture that could not be read is not thought to be there.
    assert (await policy.sample(unread, read)).sampled_tokens


async def test_an_engine_that_cannot_start_says_why(tmp_path):
    write_folder(tmp_path, tiny_model(1), TINY)
    (tmp_path / "tokenizer.json").unlink()
    with pytest.raises(ConfigError, match="tokenizer"):
        async with running(tmp_path):
            pass


async def test_the_process_ends_with_the_block_and_errors_pass_as_they_are(folder):
    pid = 0
    with pytest.raises(ZeroDivisionError):  # noqa: PT012 - the block is what is tested
        async with running(folder) as engine:
            pid = engine.pid
            raise ZeroDivisionError
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
