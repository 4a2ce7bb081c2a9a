"""Connections that keep a server waiting, and what they may cost those that have a token."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import anyio
import anyio.abc
import anyio.lowlevel
import pytest
import trustme
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from webgym.concurrency import background
from webgym.serving.http_connection import ConnectionLimits
from webgym.serving.listen import SocketServer, bind
from webgym.serving.strangers import Strangers, admit

pytestmark = pytest.mark.anyio
HURRIED = ConnectionLimits(head_seconds=0.5, stall_seconds=0.5, bytes_per_second=1000.0, unread_seconds=1.0)
BIG = 2**24


async def app(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers with the length of the body, or with many bytes at /big."""
    request = Request(scope, receive)
    if request.headers.get("authorization") == "Bearer good":
        admit(scope)
    if request.url.path == "/early":
        response = Response("no", 413)
    elif request.url.path == "/big":
        response = Response(bytes(BIG))
    else:
        response = Response(str(len(await request.body())))
    await response(scope, receive, send)


@asynccontextmanager
async def served(app: ASGIApp = app, limits: ConnectionLimits = HURRIED, **tls: str) -> AsyncGenerator[int]:
    sock = bind("127.0.0.1", 0)
    port: int = sock.getsockname()[1]
    server = SocketServer(app, limits=limits, **tls)
    async with background() as tasks:
        tasks.start_soon(server.serve_on, sock)
        yield port
        server.should_exit = True


async def until_closed(stream: anyio.abc.SocketStream) -> bytes:
    """What was received until the other end closed the connection, which it must do soon."""
    received = b""
    with anyio.fail_after(20):
        try:
            while True:
                received += await stream.receive()
        except (anyio.EndOfStream, anyio.BrokenResourceError):
            return received


async def answer(stream: anyio.abc.SocketStream, ending: bytes) -> bytes:
    """What was received until it ended so."""
    received = b""
    with anyio.fail_after(20):
        while not received.endswith(ending):
            received += await stream.receive()
    return received


@pytest.mark.parametrize(
    "beginning",
    [
        b"",
        b"GET / HT",
        b"GET / HTTP/1.1\r\nHost: x\r\nX: ",
        b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nhalf",
        b"POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n",
    ],
)
async def test_who_sends_no_whole_request_is_told_and_closed(beginning: bytes):
    async with served() as port, await anyio.connect_tcp("127.0.0.1", port) as stream:
        await stream.send(beginning) if beginning else await anyio.lowlevel.checkpoint()
        assert (await until_closed(stream)).startswith(b"HTTP/1.1 408 ")


async def test_who_begins_no_handshake_is_closed(tmp_path: Path):
    trustme.CA().issue_cert("127.0.0.1").private_key_and_cert_chain_pem.write_to_path(pem := tmp_path / "both.pem")
    limits = ConnectionLimits(handshake_seconds=0.5)
    async with (
        served(limits=limits, certificate=str(pem), key=str(pem)) as port,
        await anyio.connect_tcp("127.0.0.1", port) as stream,
    ):
        assert await until_closed(stream) == b""


async def trickle(stream: anyio.abc.SocketStream, parts: int, part: bytes, pause: float) -> None:
    for _ in range(parts):
        await stream.send(part)
        await anyio.sleep(pause)


async def test_a_head_that_comes_byte_by_byte_is_not_waited_for():
    async with served() as port, await anyio.connect_tcp("127.0.0.1", port) as stream, background() as tasks:
        await stream.send(b"GET / HTTP/1.1\r\nX: ")
        tasks.start_soon(trickle, stream, 1000, b"x", 0.05)
        assert (await until_closed(stream)).startswith(b"HTTP/1.1 408 ")


async def test_a_body_that_comes_too_slowly_is_not_waited_for():
    async with served() as port, await anyio.connect_tcp("127.0.0.1", port) as stream, background() as tasks:
        await stream.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
        tasks.start_soon(trickle, stream, 1000, b"x", 0.05)
        assert (await until_closed(stream)).startswith(b"HTTP/1.1 408 ")


async def test_a_body_that_comes_slowly_but_steadily_is_taken():
    async with served() as port, await anyio.connect_tcp("127.0.0.1", port) as stream:
        await stream.send(b"POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n")
        began = anyio.current_time()
        await trickle(stream, 20, bytes(1000), 0.1)
        assert anyio.current_time() - began > 3 * HURRIED.stall_seconds
        assert (await answer(stream, b"20000")).startswith(b"HTTP/1.1 200 ")


async def test_a_head_without_end_is_refused():
    async with served(limits=ConnectionLimits()) as port, await anyio.connect_tcp("127.0.0.1", port) as stream:
        await stream.send(b"GET / HTTP/1.1\r\n")
        with anyio.fail_after(20), pytest.raises(anyio.BrokenResourceError):
            await trickle(stream, 10_000, b"X: " + b"y" * 5000 + b"\r\n", 0)


async def test_a_response_that_nobody_reads_is_given_up_and_one_that_is_read_slowly_is_not():
    async with served() as port:
        reader = await anyio.connect_tcp("127.0.0.1", port)
        idle = await anyio.connect_tcp("127.0.0.1", port)
        async with reader, idle:
            for stream in (reader, idle):
                await stream.send(b"GET /big HTTP/1.1\r\nHost: x\r\n\r\n")
            began, got = anyio.current_time(), 0
            while anyio.current_time() - began < 3 * HURRIED.unread_seconds:
                got += len(await reader.receive(2**17))
                await anyio.sleep(0.05)
            while got < BIG:
                got += len(await reader.receive(2**20))
            assert len(await until_closed(idle)) < BIG


async def test_stray_bytes_do_not_keep_an_idle_connection():
    async with served() as port, await anyio.connect_tcp("127.0.0.1", port) as stream, background() as tasks:
        await stream.send(b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        await answer(stream, b"\r\n0")
        tasks.start_soon(trickle, stream, 1000, b"\r\n", 0.05)
        assert (await until_closed(stream)).startswith(b"HTTP/1.1 408 ")


async def test_a_connection_outlives_a_body_that_its_response_did_not_wait_for():
    async with served() as port, await anyio.connect_tcp("127.0.0.1", port) as stream:
        await stream.send(b"POST /early HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n" + bytes(1000))
        assert b" 413 " in await answer(stream, b"no")
        await stream.send(bytes(99_000) + b"GET / HTTP/1.1\r\nHost: x\r\n\r\n")
        assert (await answer(stream, b"\r\n0")).startswith(b"HTTP/1.1 200 ")


async def test_strangers_make_room_for_each_other_and_none_of_them_takes_the_place_of_who_has_a_token():
    limits = ConnectionLimits(strangers=20)
    good = b"GET / HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer good\r\n\r\n"
    async with served(limits=limits) as port, await anyio.connect_tcp("127.0.0.1", port) as known:
        await known.send(good)
        await answer(known, b"\r\n0")
        idle = [await anyio.connect_tcp("127.0.0.1", port) for _ in range(60)]
        for stream in idle[:50]:
            await until_closed(stream)
        await known.send(good)
        await answer(known, b"\r\n0")
        async with await anyio.connect_tcp("127.0.0.1", port) as new:
            await new.send(good)
            await answer(new, b"\r\n0")
        for stream in idle:
            await stream.aclose()


class Connection:
    def __init__(self, name: str, evicted: list[str], *, busy: bool = False) -> None:
        self.evict: Callable[[], None] = lambda: evicted.append(name)
        self.busy = busy


def test_the_oldest_idle_stranger_of_the_fullest_address_goes_first():
    evicted: list[str] = []
    strangers = Strangers(4, 3)
    strangers.add(Connection("a1", evicted, busy=True), "a")
    for name in ("a2", "a3", "a4"):
        strangers.add(Connection(name, evicted), "a")
    assert evicted == ["a2"], "one address has too many"
    strangers.add(Connection("b1", evicted), "b")
    strangers.add(Connection("c1", evicted), "c")
    assert evicted == ["a2", "a3"], "there are too many, and most are of this one"
    strangers.add(known := Connection("d1", evicted), "d")
    strangers.discard(known)
    assert (evicted, len(strangers)) == (["a2", "a3", "a4"], 3)
