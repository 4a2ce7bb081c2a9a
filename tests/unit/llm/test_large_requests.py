"""Requests with many screenshots."""

from __future__ import annotations

import os

import pytest

from webgym.llm.client import open_client
from webgym.llm.config import ModelConfig
from webgym.records.prompt import Message, Picture, Prompt, Text
from webgym.testing.policy_server import serving_policy


@pytest.mark.anyio
async def test_a_request_of_megabytes_arrives_whole_and_warns_nobody():
    picture = os.urandom(3_000_000)
    async with serving_policy("seen") as server, open_client(ModelConfig(servers=(server.url,), model="m")) as client:
        prompt = Prompt((Message("user", (Text("look"), Picture("a", 1, 1))),))
        assert (await client.complete(prompt, {"a": picture})).text == "seen"
        assert server.asks[-1].pictures == [picture]
        assert server.asks[-1].headers["Content-Type"] == "application/json"
