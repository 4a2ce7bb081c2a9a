"""A page that a process serves beside its work: where it is, what it is told, and that it is gone afterwards."""

from __future__ import annotations

import aiohttp
import anyio
import pytest
from starlette.responses import PlainTextResponse

from webgym.errors import ConfigError
from webgym.serving.page_server import bind_page, serve_page

pytestmark = pytest.mark.anyio


async def asked(url: str) -> str:
    async with aiohttp.ClientSession() as session, session.get(url) as reply:
        return await reply.text()


async def test_it_is_made_with_its_token_and_lasts_as_long_as_the_block(monkeypatch):
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    async with serve_page("figures", PlainTextResponse, bind_page(0)) as page:
        token = await asked(page.url)
        assert len(token) >= 32
        assert page.lines() == (f"figures http://127.0.0.1:{page.port}/?token={token}",)
        with pytest.raises(ConfigError, match="--elsewhere"):
            bind_page(page.port, "--elsewhere")
    with pytest.raises(aiohttp.ClientConnectorError):
        await asked(page.url)


async def test_who_came_by_ssh_is_told_of_a_tunnel(monkeypatch):
    monkeypatch.setenv("SSH_CONNECTION", "10.0.0.5 50000 10.0.0.9 2222")
    async with serve_page("figures", PlainTextResponse, bind_page(0), token="known") as page:
        assert await asked(page.url) == "known"
    assert page.lines() == (f"on your own machine: {page.tunnel}", f"then open {page.url}")
    assert f"-L {page.port}:127.0.0.1:{page.port} -p 2222 " in page.tunnel


async def test_cancelled_it_leaves_its_port_to_the_next():
    with anyio.CancelScope() as scope:
        async with serve_page("figures", PlainTextResponse, bind_page(0)) as page:
            await asked(page.url)
            scope.cancel()
            await anyio.sleep_forever()
    async with serve_page("figures", PlainTextResponse, bind_page(page.port), token="next") as again:
        assert await asked(again.url) == "next"
