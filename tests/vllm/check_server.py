"""A real vLLM server against transformers: tokens in and out, logprobs, versions, new weights in flight, restarts."""

from __future__ import annotations

import hashlib
import os
import signal
from contextlib import asynccontextmanager

import anyio
import pytest
from tests.unit.engine.tiny import png
from tests.vllm.serving import SERVERS, SERVING

from webgym.errors import PolicyUnavailable
from webgym.inference.config import ServersConfig
from webgym.inference.opening import open_replicas
from webgym.inference.policy import Asking, open_inference
from webgym.records.prompt import Completion, Message, Picture, Prompt, Text, unpack_ids, unpack_logprobs
from webgym.records.sample import PolicyVersion
from webgym.run.inference.plain import Plain
from webgym.run.servers import read_words

pytestmark = pytest.mark.anyio
CLOSE = 1e-4
"""Between float32 kernels; other weights are more than 1 away."""


@pytest.fixture(scope="module")
def plain(folders):
    return [Plain(folder) for folder in folders]


@asynccontextmanager
async def asked(replicas, folders, **asking):
    words, vocabulary = read_words(folders[0])
    async with open_inference(replicas, words, vocabulary) as make:
        yield make(Asking(**({"max_tokens": 24} | asking)))


def prompt(number: int, *, sizes=((128, 96),)) -> tuple[Prompt, dict[str, bytes]]:
    data = [png(10 * number + at, *size) for at, size in enumerate(sizes)]
    named = {hashlib.sha256(one).hexdigest(): one for one in data}
    parts = [Picture(address, *size) for address, size in zip(named, sizes, strict=True)]
    return Prompt((Message("user", (*parts, Text(f"Find “wool hats” for £5 — 日本 {number}"))),)), named


def difference(completion: Completion, expected: list[float]) -> float:
    found = unpack_logprobs(completion.tokens.logprobs)
    assert len(found) == len(expected) > 0
    return max(abs(a - b) for a, b in zip(found, expected, strict=True))


@pytest.mark.parametrize("temperature", [1.0, 0.6])
async def test_tokens_and_logprobs_are_those_of_transformers(replicas, folders, plain, temperature):
    async with asked(replicas, folders, temperature=temperature) as policy:
        for number, sizes in enumerate([((128, 96),), ((128, 96), (64, 64)), ((96, 128),)]):
            question, pictures = prompt(number, sizes=sizes)
            completion = await policy.sample(question, pictures, affinity="a")
            assert list(unpack_ids(completion.tokens.prompt)) == plain[0].prompt_ids(question, pictures)
            assert completion.tokens.temperature == temperature
            assert set(unpack_ids(completion.tokens.versions)) == {completion.version}
            assert difference(completion, plain[0].logprobs(question, pictures, completion.tokens)) < CLOSE
            assert difference(completion, plain[1].logprobs(question, pictures, completion.tokens)) > 0.5


async def test_many_at_once_get_their_own_replies(replicas, folders, plain):
    replies: dict[int, Completion] = {}
    async with asked(replicas, folders) as policy:

        async def ask(number: int) -> None:
            replies[number] = await policy.sample(*prompt(number), affinity=str(number))

        async with anyio.create_task_group() as tasks:
            for number in range(12):
                tasks.start_soon(ask, number)
    for number, completion in replies.items():
        question, pictures = prompt(number)
        assert difference(completion, plain[0].logprobs(question, pictures, completion.tokens)) < CLOSE


@pytest.mark.parametrize("refresh", ["disk", "transfer"])
async def test_new_weights_are_seen_in_the_next_reply(replicas, folders, plain, refresh):
    attached = ServersConfig(urls=replicas.urls, refresh=refresh)
    question, pictures = prompt(7)
    async with (
        open_replicas(SERVING, attached, PolicyVersion(1, str(folders[0]))) as others,
        asked(others, folders) as policy,
    ):
        before = await policy.sample(question, pictures)
        await others.refresh(PolicyVersion(20, str(folders[1])))
        after = await policy.sample(question, pictures)
        assert (await others.state())[0].version == "20"
        await others.refresh(PolicyVersion(1, str(folders[0])))
        again = await policy.sample(question, pictures)
    assert [one.version for one in (before, after, again)] == [1, 20, 1]
    assert difference(before, plain[0].logprobs(question, pictures, before.tokens)) < CLOSE
    assert difference(after, plain[1].logprobs(question, pictures, after.tokens)) < CLOSE
    assert difference(after, plain[0].logprobs(question, pictures, after.tokens)) > 0.5
    assert difference(again, plain[0].logprobs(question, pictures, again.tokens)) < CLOSE


async def test_an_output_layer_that_is_the_embedding_is_refreshed_too_or_refused(folders, tied_folders, tmp_path):
    tied = [Plain(folder) for folder in tied_folders]
    question, pictures = prompt(8)
    first, second = (PolicyVersion(number, str(folder)) for number, folder in enumerate(tied_folders, 1))
    async with (
        open_replicas(SERVING, SERVERS, first, logs=tmp_path) as replicas,
        asked(replicas, tied_folders) as policy,
    ):
        before = await policy.sample(question, pictures)
        await replicas.refresh(second)
        after = await policy.sample(question, pictures)
        disk = ServersConfig(urls=replicas.urls, refresh="disk")
        async with open_replicas(SERVING, disk, second) as others:
            with pytest.raises(PolicyUnavailable, match="tied output layer"):
                await others.refresh(PolicyVersion(3, str(tied_folders[0])))
        again = await policy.sample(question, pictures)
    assert [one.version for one in (before, after, again)] == [1, 2, 2]
    assert difference(before, tied[0].logprobs(question, pictures, before.tokens)) < CLOSE
    for completion in (after, again):
        assert difference(completion, tied[1].logprobs(question, pictures, completion.tokens)) < CLOSE
        assert difference(completion, tied[0].logprobs(question, pictures, completion.tokens)) > 0.5


async def test_replies_under_way_go_on_with_new_weights_and_every_token_tells_who_chose_it(replicas, folders, plain):
    replies: dict[int, Completion] = {}
    async with asked(replicas, folders, max_tokens=600, concurrency=16) as policy:

        async def ask(number: int) -> None:
            replies[number] = await policy.sample(*prompt(number), affinity=str(number))

        async with anyio.create_task_group() as tasks:
            for number in range(16):
                tasks.start_soon(ask, number)
            while not replies:  # random weights end some replies early; others are long
                await anyio.sleep(0.02)
            await replicas.refresh(PolicyVersion(2, str(folders[1])))
    await replicas.refresh(PolicyVersion(1, str(folders[0])))
    mixed = 0
    for number, completion in replies.items():
        question, pictures = prompt(number)
        versions = list(unpack_ids(completion.tokens.versions))
        logprobs = unpack_logprobs(completion.tokens.logprobs)
        assert versions == sorted(versions)
        assert len(versions) == len(logprobs) == completion.sampled_tokens
        mixed += len(set(versions)) == 2
        by_version = {one: plain[one - 1].logprobs(question, pictures, completion.tokens) for one in (1, 2)}
        for at, version in enumerate(versions):
            assert abs(logprobs[at] - by_version[version][at]) < CLOSE, (at, version)
    assert mixed


async def test_a_paused_server_keeps_requests_waiting(replicas, folders):
    await replicas.pause()
    async with asked(replicas, folders) as policy:
        with anyio.move_on_after(2.0) as scope:
            await policy.sample(*prompt(1))
        assert scope.cancelled_caught
        await replicas.resume()
        assert (await policy.sample(*prompt(1))).sampled_tokens


async def test_a_server_that_is_killed_is_started_again_with_the_weights_of_now(replicas, folders, plain):
    await replicas.refresh(PolicyVersion(5, str(folders[1])))
    (before,) = await replicas.state()
    for pid in server_processes():
        os.kill(pid, signal.SIGKILL)
    async with asked(replicas, folders) as policy:
        question, pictures = prompt(3)
        completion = await policy.sample(question, pictures)
    (after,) = await replicas.state()
    assert (after.version, after.restarts) == ("5", before.restarts + 1)
    assert completion.version == 5
    assert difference(completion, plain[1].logprobs(question, pictures, completion.tokens)) < CLOSE


def server_processes() -> list[int]:
    """The API servers that descend from this process."""
    import psutil

    below = psutil.Process().children(recursive=True)
    return [one.pid for one in below if "vllm.entrypoints.openai.api_server" in " ".join(one.cmdline())]
