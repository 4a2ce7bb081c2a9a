"""Whose tokens they are, if a server tells one version for a whole reply."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from webgym.inference.exchange import TokenExchange
from webgym.inference.reply import ServerReply, VersionSpan
from webgym.llm.config import ModelConfig
from webgym.records.prompt import Completion, unpack_ids
from webgym.records.vocabulary import ImageTokens

pytestmark = pytest.mark.anyio
CONFIG = ModelConfig(servers=("http://a",), model="m", logprobs="processed", temperature=1.0, top_p=1.0)


class Servers:
    """Refreshes begin and end while they answer."""

    def __init__(self, before: int, after: int) -> None:
        self.changes = before
        self.after = after

    def serves(self, url: str) -> bool:
        del url
        return True

    async def post(self, *asked) -> tuple[dict, bytes]:
        del asked
        self.changes = self.after
        return {}, b""


async def reply(before: int, after: int, spans: tuple[VersionSpan, ...] = ()) -> Completion:
    said = ServerReply((1, 2), (7, 8, 9), (-0.1, -0.1, -0.1), spans, "stop", label="5")
    api = SimpleNamespace(generate="/generate", read=lambda content: said, sent=lambda body: [1, 2])
    words = SimpleNamespace(words=lambda ids: "said")
    servers = Servers(before, after)
    exchange = TokenExchange(api, servers, CONFIG, words, ImageTokens(99), servers)
    return (await exchange.ask("http://a", b"")).completion


@pytest.mark.parametrize("refreshes", [0, 2])
async def test_a_label_is_that_of_all_tokens_between_refreshes(refreshes):
    completion = await reply(refreshes, refreshes)
    assert list(unpack_ids(completion.tokens.versions)) == [5, 5, 5]
    assert completion.version == 5


@pytest.mark.parametrize(("before", "after"), [(0, 1), (0, 2), (1, 2), (1, 3), (1, 1)])
async def test_a_label_says_nothing_if_a_refresh_began_ended_or_was_under_way(before, after):
    """Under way all the while is not safe either: this server may have had its own part of it meanwhile."""
    completion = await reply(before, after)
    assert (completion.version, completion.tokens.versions) == (None, b"")


async def test_what_is_told_token_by_token_is_believed_at_any_time():
    completion = await reply(1, 1, (VersionSpan("4", 0, 2), VersionSpan("5", 2, 3)))
    assert list(unpack_ids(completion.tokens.versions)) == [4, 4, 5]
