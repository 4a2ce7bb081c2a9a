from __future__ import annotations

import asyncio
import base64
import os
import socket
import struct
from collections.abc import AsyncGenerator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from ipaddress import ip_address

import anyio
import pytest
from tests.integration.origins import Exchange, Origin, connect, origin

from webgym.browser.config import EgressConfig
from webgym.browser.server.proxy.addresses import Address
from webgym.browser.server.proxy.forward import STATE_HEADER, ForwardProxy, ProxyLimits, open_proxy
from webgym.browser.server.proxy.replies import FailureKind
from webgym.errors import ConfigError
from webgym.records.session import UpstreamProxy

pytestmark = pytest.mark.anyio

MEBIBYTE = 2**20
FAST = ProxyLimits(connect_seconds=1.0, resolve_seconds=0.3, head_seconds=0.2, idle_seconds=0.5, sweep_seconds=0.05)


@pytest.fixture(params=[False, True], ids=["asyncio", "uvloop"])
def anyio_backend(request: pytest.FixtureRequest) -> tuple[str, dict[str, object]]:
    return "asyncio", {"use_uvloop": request.param}


@pytest.fixture(autouse=True)
async def deadline() -> AsyncGenerator[None]:
    with anyio.fail_after(60):
        yield


# A test that lets the proxy connect to a public address itself would leave the machine: those go to an upstream proxy.
NAMES: dict[str, Sequence[str]] = {
    "inside.test": ["127.0.0.2"],
    "mixed.test": ["127.0.0.2", "93.184.215.14"],
    "two.test": ["127.0.0.9", "127.0.0.2"],
    "public.test": ["93.184.215.14"],
    "proxy.test": ["127.0.0.3"],
}


async def resolve(host: str) -> Sequence[Address]:
    if host == "slow.test":
        await anyio.sleep_forever()
    if host == "faulty.test":
        raise LookupError(host)
    if host not in NAMES:
        raise socket.gaierror(socket.EAI_NONAME, "no such name")
    return [ip_address(address) for address in NAMES[host]]


@asynccontextmanager
async def proxy_to(
    *origins: Origin,
    allow: Sequence[str] = (),
    hermetic: dict[str, str] | None = None,
    deny_ports: Sequence[int] = (),
    state_key: str = "key-of-this-session",
    upstream: UpstreamProxy | None = None,
    limits: ProxyLimits | None = None,
) -> AsyncGenerator[ForwardProxy]:
    egress = EgressConfig(
        allow=(*allow, *(origin.authority for origin in origins)),
        hermetic=hermetic or {},
        deny_ports=tuple(deny_ports),
    )
    async with open_proxy(
        egress, state_key=state_key, upstream=upstream, resolver=resolve, limits=limits or ProxyLimits()
    ) as proxy:
        yield proxy


async def until(condition: object, seconds: float = 10.0) -> None:
    assert callable(condition)
    with anyio.fail_after(seconds):
        while not condition():
            await anyio.sleep(0.01)


# Plain requests.


async def test_a_kept_alive_connection_uses_one_upstream_for_all_its_requests() -> None:
    async with origin() as site, proxy_to(site) as proxy, connect(proxy.port) as client:
        for number in range(200):
            assert (await client.get(f"http://{site.authority}/{number}")).status == 200
        assert site.connections == 1
        assert site.heads[7] == f"GET /7 HTTP/1.1\r\nHost: {site.authority}\r\n\r\n"
        assert (proxy.requests, proxy.refused) == (200, 0)
        assert proxy.bytes_out == sum(map(len, site.heads))


async def test_each_request_on_a_connection_goes_where_it_says() -> None:
    async with (
        origin("127.0.0.2") as one,
        origin("127.0.0.3") as two,
        origin("127.0.0.4") as forbidden,
        proxy_to(one, two) as proxy,
        connect(proxy.port) as client,
    ):
        for site in [one, two, one, one, two]:
            assert (await client.get(f"http://{site.authority}/")).body == b"ok"
        reply = await client.get(f"http://{forbidden.authority}/")
        assert reply.status == 403
        assert (len(one.heads), len(two.heads), forbidden.connections) == (3, 2, 0)
        assert await client.reader.read() == b""


async def test_requests_for_one_host_can_be_pipelined_and_for_two_cannot() -> None:
    async def slow(exchange: Exchange) -> None:
        await anyio.sleep(0.1)
        await exchange.reply(exchange.head.split()[1].encode())

    async with origin(handler=slow) as site, origin("127.0.0.3") as other, proxy_to(site, other) as proxy:
        async with connect(proxy.port) as client:
            await client.send("".join(f"GET http://{site.authority}/{n} HTTP/1.1\r\n\r\n" for n in range(3)))
            assert [(await client.receive()).body for _ in range(3)] == [b"/0", b"/1", b"/2"]
        async with connect(proxy.port) as client:
            await client.send(
                f"GET http://{site.authority}/ HTTP/1.1\r\n\r\nGET http://{other.authority}/ HTTP/1.1\r\n\r\n"
            )
            assert (await client.receive()).status == 400
        assert other.connections == 0


async def test_a_head_may_arrive_byte_by_byte() -> None:
    async with origin() as site, proxy_to(site) as proxy, connect(proxy.port) as client:
        for byte in f"GET http://{site.authority}/ HTTP/1.1\r\nA: b\r\n\r\n".encode():
            await client.send(bytes([byte]))
            await anyio.sleep(0.001)
        assert (await client.receive()).status == 200


async def test_bodies_are_passed_on_and_the_next_request_is_found_after_them() -> None:
    async def echo(exchange: Exchange) -> None:
        if "Content-Length: 5" in exchange.head:
            await exchange.reply(await exchange.reader.readexactly(5))
        elif "chunked" in exchange.head:
            await exchange.reply(await exchange.reader.readuntil(b"0\r\n\r\n"))
        else:
            await exchange.reply(b"")

    async with origin(handler=echo) as site, proxy_to(site) as proxy, connect(proxy.port) as client:
        start = f"POST http://{site.authority}/ HTTP/1.1"
        chunked = b"5\r\nhello\r\n6;x=y\r\n world\r\n0\r\n\r\n"
        for _ in range(3):
            assert (await client.request(start, "Content-Length: 5", body=b"hello")).body == b"hello"
            assert (await client.request(start, "Transfer-Encoding: chunked", body=chunked)).body == chunked
            assert (await client.get(f"http://{site.authority}/")).body == b""
        assert site.connections == 1


async def test_an_answer_that_ends_with_the_connection_ends_with_the_connection() -> None:
    async def stream(exchange: Exchange) -> None:
        exchange.writer.write(b"HTTP/1.1 200 OK\r\n\r\nall of it")
        exchange.writer.close()

    async with origin(handler=stream) as site, proxy_to(site) as proxy, connect(proxy.port) as client:
        await client.send(f"GET http://{site.authority}/ HTTP/1.1\r\n\r\n")
        assert (await client.reader.read()).endswith(b"all of it")


async def test_a_server_that_hangs_up_is_a_502_at_first_and_a_closed_connection_later() -> None:
    async def hang_up_on_quit(exchange: Exchange) -> None:
        if "/quit" in exchange.head:
            exchange.writer.close()
        else:
            await exchange.reply()

    async with origin(handler=hang_up_on_quit) as site, proxy_to(site) as proxy:
        async with connect(proxy.port) as client:
            reply = await client.get(f"http://{site.authority}/quit")
            assert (reply.status, reply.headers["x-webgym-proxy"]) == (502, "connect")
        async with connect(proxy.port) as client:  # a browser asks again by itself when a used connection breaks
            await client.get(f"http://{site.authority}/")
            await client.send(f"GET http://{site.authority}/quit HTTP/1.1\r\n\r\n")
            assert await client.reader.read() == b""


async def test_a_client_that_says_no_more_is_still_answered() -> None:
    async def hang_up_on_quit(exchange: Exchange) -> None:
        await anyio.sleep(0.1)
        if "/quit" in exchange.head:
            exchange.writer.close()
        else:
            await exchange.reply()

    async with origin(handler=hang_up_on_quit) as site, proxy_to(site) as proxy:
        for path, status in [("", 200), ("quit", 502)]:
            async with connect(proxy.port) as client:
                await client.send(f"GET http://{site.authority}/{path} HTTP/1.1\r\n\r\n")
                client.writer.write_eof()
                assert (await client.receive()).status == status
                assert await client.reader.read() == b""
                await until(lambda: proxy.connections == 0)


async def test_an_answer_that_breaks_off_is_not_taken_for_a_whole_one() -> None:
    async def break_off(exchange: Exchange) -> None:
        exchange.writer.write(b"HTTP/1.1 200 OK\r\n\r\nhalf of")
        await exchange.writer.drain()
        await anyio.sleep(0.1)
        connection: socket.socket = exchange.writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        exchange.writer.transport.abort()

    async with origin(handler=break_off) as site, proxy_to(site) as proxy, connect(proxy.port) as client:
        await client.send(f"GET http://{site.authority}/ HTTP/1.1\r\n\r\n")
        with pytest.raises(ConnectionResetError):
            await client.reader.read()


# Tunnels.


async def test_connect_opens_a_tunnel_that_is_not_looked_at() -> None:
    async def echo(exchange: Exchange) -> None:
        exchange.writer.write(exchange.head.encode("latin-1"))

    async with origin(handler=echo) as site, proxy_to(site) as proxy, connect(proxy.port) as client:
        assert (await client.request(f"CONNECT {site.authority} HTTP/1.1")).status == 200
        said = f"\x16 anything\nat all {STATE_HEADER}: x\r\n\r\n".encode()
        await client.send(said)
        assert await client.reader.readexactly(len(said)) == said


async def test_a_tunnel_can_be_closed_in_one_direction_first() -> None:
    async def answer_after_eof(exchange: Exchange) -> None:
        size = len(await exchange.reader.read())
        exchange.writer.write(b"got %d" % size)
        exchange.writer.close()

    async with origin(handler=answer_after_eof) as site, proxy_to(site) as proxy, connect(proxy.port) as client:
        await client.request(f"CONNECT {site.authority} HTTP/1.1")
        await client.send(b"\r\n\r\n" + b"x" * 1000)
        client.writer.write_eof()
        assert await client.reader.read() == b"got 1000"
        await until(lambda: proxy.connections == 0)


async def test_a_server_can_close_its_direction_first() -> None:
    received = bytearray()

    async def half_close(exchange: Exchange) -> None:
        exchange.writer.write(b"bye")
        exchange.writer.write_eof()
        received.extend(await exchange.reader.read())
        exchange.writer.close()

    async with origin(handler=half_close) as site, proxy_to(site) as proxy, connect(proxy.port) as client:
        await client.request(f"CONNECT {site.authority} HTTP/1.1")
        await client.send(b"\r\n\r\n")
        assert await client.reader.read() == b"bye"
        await client.send(b"still here")
        client.writer.write_eof()
        await until(lambda: bytes(received) == b"still here" and proxy.connections == 0)


async def test_a_websocket_over_a_plain_request_becomes_a_tunnel_after_the_101() -> None:
    async def upgrade(exchange: Exchange) -> None:
        assert "Connection: Upgrade\r\nUpgrade: websocket\r\n" in exchange.head
        exchange.writer.write(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
        exchange.writer.write(await exchange.reader.readexactly(7))

    async with origin(handler=upgrade) as site, proxy_to(site) as proxy, connect(proxy.port) as client:
        reply = await client.get(f"http://{site.authority}/", "Connection: Upgrade", "Upgrade: websocket")
        assert reply.status == 101
        await client.send(b"\x81\x05\n\nabc")
        assert await client.reader.readexactly(7) == b"\x81\x05\n\nabc"


async def test_a_refused_upgrade_leaves_an_ordinary_connection() -> None:
    async with origin() as site, proxy_to(site) as proxy, connect(proxy.port) as client:
        assert (
            await client.get(f"http://{site.authority}/", "Connection: Upgrade", "Upgrade: websocket")
        ).status == 200
        assert (await client.get(f"http://{site.authority}/")).status == 200


# Volume.


@pytest.mark.parametrize("tunnel", [False, True])
async def test_a_download_waits_for_a_slow_reader(*, tunnel: bool) -> None:
    total = 96 * MEBIBYTE

    async def pour(exchange: Exchange) -> None:
        exchange.writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n" % total)
        for _ in range(total // MEBIBYTE):
            exchange.writer.write(b"x" * MEBIBYTE)
            await exchange.writer.drain()

    async with origin(handler=pour) as site, proxy_to(site) as proxy, connect(proxy.port) as client:
        target = f"http://{site.authority}/"
        if tunnel:
            await client.request(f"CONNECT {site.authority} HTTP/1.1")
            target = "/"
        await client.send(f"GET {target} HTTP/1.1\r\n\r\n")
        await client.reader.readuntil(b"\r\n\r\n")
        assert await _stalled(proxy, "bytes_in") < total / 2
        received = 0
        while received < total:
            received += len(await client.reader.read(MEBIBYTE))
        assert received == total
        assert (await client.get(target)).status == 200 if not tunnel else True


@pytest.mark.parametrize("chunked", [False, True])
async def test_an_upload_waits_for_a_slow_server(*, chunked: bool) -> None:
    piece = b"x" * MEBIBYTE
    if chunked:
        piece = b"%x\r\n%b\r\n" % (len(piece), piece)
    total = 96 * len(piece) + (5 if chunked else 0)
    may_read = anyio.Event()

    async def sip(exchange: Exchange) -> None:
        await may_read.wait()
        left = total
        while left:
            left -= len(await exchange.reader.read(min(left, MEBIBYTE)))
        await exchange.reply(b"%d" % (total - left))

    async with origin(handler=sip) as site, proxy_to(site) as proxy, connect(proxy.port) as client:
        framing = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {total}"

        async def upload() -> None:
            await client.send(f"POST http://{site.authority}/ HTTP/1.1\r\n{framing}\r\n\r\n")
            for _ in range(96):
                await client.send(piece)
            await client.send(b"0\r\n\r\n" if chunked else b"")

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(upload)
            assert await _stalled(proxy, "bytes_out") < total / 2
            may_read.set()
        assert (await client.receive()).body == b"%d" % total
        assert proxy.bytes_out == total + len(site.heads[0])


async def _stalled(proxy: ForwardProxy, counter: str) -> int:
    """The counter's value once it has not moved for a while."""
    before = -1
    while (now := getattr(proxy, counter)) != before:
        before = now
        await anyio.sleep(0.3)
    return now


# State keys.


async def test_only_hermetic_hosts_are_given_the_state_key() -> None:
    async with origin() as site, origin("127.0.0.3") as other:
        hermetic = {"*.shop.test:80": site.authority}
        async with proxy_to(other, hermetic=hermetic) as proxy, connect(proxy.port) as client:
            for url in ["http://a.shop.test/", f"http://{other.authority}/", "http://b.shop.test/x"]:
                await client.get(url, f"{STATE_HEADER}: forged", "x_webgym_state: forged")
        key = f"{STATE_HEADER}: key-of-this-session\r\n"
        assert site.heads == [
            f"GET / HTTP/1.1\r\nHost: a.shop.test\r\n{key}\r\n",
            f"GET /x HTTP/1.1\r\nHost: b.shop.test\r\n{key}\r\n",
        ]
        assert other.heads == [f"GET / HTTP/1.1\r\nHost: {other.authority}\r\n\r\n"]


async def test_without_a_state_key_no_header_is_sent() -> None:
    async with origin() as site, proxy_to(hermetic={"shop.test:80": site.authority}, state_key="") as proxy:
        async with connect(proxy.port) as client:
            await client.get("http://shop.test/", f"{STATE_HEADER}: forged")
        assert STATE_HEADER not in site.heads[0]


async def test_a_websocket_to_a_hermetic_host_carries_the_state_key_inside_its_tunnel() -> None:
    async def upgrade(exchange: Exchange) -> None:
        exchange.writer.write(b"HTTP/1.1 101 Switching Protocols\r\n\r\n")
        exchange.writer.write(await exchange.reader.readexactly(5))

    async with origin(handler=upgrade) as site, proxy_to(hermetic={"*.shop.test:80": site.authority}) as proxy:
        async with connect(proxy.port) as client:
            assert (await client.request("CONNECT a.shop.test:80 HTTP/1.1")).status == 200
            reply = await client.get(
                "/chat", "Host: x", "Upgrade: websocket", "Connection: Upgrade", f"{STATE_HEADER}: y"
            )
            assert reply.status == 101
            await client.send(b"hello")
            assert await client.reader.readexactly(5) == b"hello"
        assert f"Host: a.shop.test\r\n{STATE_HEADER}: key-of-this-session\r\n" in site.heads[0]
        assert site.heads[0].count(STATE_HEADER) == 1


async def test_tls_to_a_hermetic_host_is_refused_because_its_requests_could_not_be_read() -> None:
    async with origin() as site, proxy_to(hermetic={"*.shop.test:443": site.authority}) as proxy:
        async with connect(proxy.port) as client:
            await client.request("CONNECT a.shop.test:443 HTTP/1.1")
            await client.send(b"\x16\x03\x01\r\n\r\n")
            with pytest.raises(ConnectionResetError):
                await client.reader.readexactly(1)
        assert site.heads == []
        assert "plain http" in (proxy.refusal_of("https://a.shop.test/") or "")


# Refusals and failures.


@pytest.mark.parametrize("authority", ["inside.test", "127.0.0.2", "0x7f.2", "[::ffff:127.0.0.2]", "x.localhost"])
@pytest.mark.parametrize("method", ["GET", "CONNECT"])
async def test_private_addresses_are_refused_however_they_are_spelt(authority: str, method: str) -> None:
    async with origin() as site, proxy_to() as proxy, connect(proxy.port) as client:
        target = f"{authority}:{site.port}"
        reply = await client.request(f"{method} {target if method == 'CONNECT' else f'http://{target}/'} HTTP/1.1")
        assert (reply.status, reply.headers["x-webgym-proxy"]) == (403, "refused")
        assert "loopback" in reply.headers["x-webgym-reason"]
        assert b"loopback" in reply.body
        assert await client.reader.read() == b""
        assert (site.connections, proxy.refused) == (0, 1)
        assert proxy.refusal_of(f"http://{target}/any/path") == reply.headers["x-webgym-reason"]
        assert proxy.refusal_of(f"http://{authority}:{site.port + 1}/") is None


async def test_a_name_is_resolved_once_for_the_check_and_the_connection() -> None:
    asked: list[str] = []
    answers = iter([["127.0.0.5"], ["127.0.0.2"]])

    async def rebind(host: str) -> Sequence[Address]:
        asked.append(host)
        return [ip_address(address) for address in next(answers)]

    async with origin() as site:
        egress = EgressConfig(allow=(f"rebinding.test:{site.port}",))
        async with open_proxy(egress, resolver=rebind) as proxy:
            for _ in range(3):
                async with connect(proxy.port) as client:
                    assert (await client.get(f"http://rebinding.test:{site.port}/")).status == 502
        assert asked == ["rebinding.test"]
        assert site.connections == 0


async def test_a_name_that_resolves_to_public_and_private_addresses_is_not_reached_at_the_private_ones() -> None:
    async with origin() as site, upstream_proxy(site) as theirs:
        upstream = UpstreamProxy(server=f"http://proxy.test:{theirs.port}", username="me", password="pass:word")
        async with proxy_to(upstream=upstream) as proxy, connect(proxy.port) as client:
            assert (await client.get(f"http://mixed.test:{site.port}/")).body == b"by proxy"
        assert site.connections == 0


async def test_the_next_address_is_tried_when_one_does_not_answer() -> None:
    async with origin() as site, proxy_to(allow=[f"two.test:{site.port}"]) as proxy, connect(proxy.port) as client:
        assert (await client.get(f"http://two.test:{site.port}/")).status == 200


async def test_a_server_whose_queue_was_full_is_reached_before_the_kernel_tries_again() -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=0) as server:
        port = server.getsockname()[1]
        first: list[str] = []

        async def by_proxy(port_of_proxy: int) -> None:
            async with connect(port_of_proxy) as client:
                assert (await client.get(f"http://127.0.0.1:{port}/")).status == 204
                first.append("by proxy")

        async def by_kernel() -> None:
            async with await anyio.connect_tcp("127.0.0.1", port):
                first.append("by kernel")

        async with AsyncExitStack() as waiting, proxy_to(allow=[f"127.0.0.1:{port}"]) as proxy:
            await waiting.enter_async_context(await anyio.connect_tcp("127.0.0.1", port))  # the queue is full now
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(by_kernel)
                tasks.start_soon(by_proxy, proxy.port)
                await anyio.sleep(0.1)
                server.setblocking(False)
                tasks.start_soon(_serve_nothing, server)
                await until(lambda: len(first) == 2)
                tasks.cancel_scope.cancel()
    assert first == ["by proxy", "by kernel"]


async def _serve_nothing(server: socket.socket) -> None:
    async def answer(accepted: socket.socket) -> None:
        with accepted:
            await anyio.wait_readable(accepted)
            accepted.send(b"HTTP/1.1 204 No Content\r\n\r\n")
            await anyio.sleep_forever()

    async with anyio.create_task_group() as tasks:
        while True:
            await anyio.wait_readable(server)
            tasks.start_soon(answer, server.accept()[0])


async def test_failures_to_resolve_to_connect_and_to_answer_in_time_can_be_told_apart() -> None:
    with socket.create_server(("127.0.0.2", 0)) as closed:
        port = closed.getsockname()[1]
    async with proxy_to(allow=[f"127.0.0.2:{port}"], limits=FAST) as proxy:
        for url, status, kind in [
            ("http://nowhere.test/", 502, FailureKind.DNS),
            ("http://slow.test/", 502, FailureKind.DNS),
            ("http://faulty.test/", 502, FailureKind.CONNECT),
            (f"http://127.0.0.2:{port}/", 502, FailureKind.CONNECT),
        ]:
            async with connect(proxy.port) as client:
                reply = await client.get(url)
                assert (reply.status, reply.headers["x-webgym-proxy"]) == (status, kind.value)
            failure = proxy.failure_of(url)
            assert failure is not None
            assert failure.kind is kind
            assert proxy.refusal_of(url) is None


async def test_a_host_that_can_be_reached_again_is_no_longer_reported() -> None:
    with socket.create_server(("127.0.0.2", 0)) as closed:
        port = closed.getsockname()[1]
    url = f"http://127.0.0.2:{port}/"
    async with proxy_to(allow=[f"127.0.0.2:{port}"]) as proxy:
        async with connect(proxy.port) as client:
            await client.get(url)
        assert proxy.failure_of(url) is not None
        async with origin(port=port), connect(proxy.port) as client:
            assert (await client.get(url)).status == 200
        assert proxy.failure_of(url) is None


async def test_refusals_of_very_many_hosts_are_forgotten_oldest_first() -> None:
    async with proxy_to() as proxy:
        for number in range(300):
            async with connect(proxy.port) as client:
                await client.get(f"http://127.0.{number // 250}.{number % 250}/")
        assert proxy.refused == 300
        assert proxy.refusal_of("http://127.0.0.0/") is None
        assert proxy.refusal_of("http://127.0.1.49/") is not None


async def test_the_fleets_ports_stay_closed_even_to_allowed_and_hermetic_hosts() -> None:
    async with origin() as site:
        rules = {"allow": [site.authority], "hermetic": {"*.shop.test:80": site.authority}}
        async with proxy_to(**rules, deny_ports=[site.port]) as proxy:
            for url in [f"http://{site.authority}/", "http://a.shop.test/"]:
                async with connect(proxy.port) as client:
                    assert (await client.get(url)).status == 403
        assert site.connections == 0


async def test_the_proxy_does_not_connect_to_itself() -> None:
    with socket.create_server(("127.0.0.1", 0)) as placeholder:
        ports = range(placeholder.getsockname()[1] - 500, placeholder.getsockname()[1] + 500)
    async with proxy_to(allow=[f"127.0.0.1:{port}" for port in ports]) as proxy, connect(proxy.port) as client:
        assert (await client.get(f"http://127.0.0.1:{proxy.port}/")).status == 403


async def test_a_refused_upload_is_answered_before_it_is_cut_off() -> None:
    async with proxy_to() as proxy, connect(proxy.port) as client:
        await client.send("POST http://10.0.0.1/ HTTP/1.1\r\nContent-Length: 5000000\r\n\r\n")
        await client.send(b"x" * 5_000_000)
        assert (await client.receive()).status == 403


# Upstream proxies.


@asynccontextmanager
async def upstream_proxy(site: Origin) -> AsyncGenerator[Origin]:
    """A proxy that asks for credentials and sends everything to one site."""
    expected = "Proxy-Authorization: Basic " + base64.b64encode(b"me:pass:word").decode()

    async def handle(exchange: Exchange) -> None:
        if expected not in exchange.head:
            await exchange.reply(b"", "Proxy-Authenticate: Basic", status="407 Proxy Authentication Required")
        elif exchange.head.startswith("CONNECT"):
            reader, writer = await asyncio.open_connection(site.host, site.port)
            exchange.writer.write(b"HTTP/1.1 200 Fine\r\nX-Any: thing\r\n\r\n")
            writer.write(await exchange.reader.readuntil(b"\r\n\r\n"))
            exchange.writer.write(await reader.readuntil(b"ok"))
            writer.close()
        else:
            await exchange.reply(b"by proxy")

    async with origin("127.0.0.3", handle) as proxy:
        yield proxy


async def test_public_hosts_are_reached_through_the_users_proxy_and_its_credentials_stay_there() -> None:
    async with origin() as site, upstream_proxy(site) as theirs:
        upstream = UpstreamProxy(server=f"http://proxy.test:{theirs.port}", username="me", password="pass:word")
        hermetic = {"*.shop.test:80": site.authority}
        async with proxy_to(site, hermetic=hermetic, upstream=upstream) as proxy:
            async with connect(proxy.port) as client:
                reply = await client.get("http://PUBLIC.test/a", "Proxy-Authorization: Basic forged")
                assert reply.body == b"by proxy"
                assert (await client.get("http://public.test/b")).body == b"by proxy"
                assert (await client.get("http://unknown-here.test/")).body == b"by proxy"
                assert (await client.get("http://a.shop.test/")).body == b"ok"
                assert (await client.get(f"http://{site.authority}/")).body == b"ok"
            async with connect(proxy.port) as client:
                assert (await client.request("CONNECT public.test:443 HTTP/1.1")).status == 200
                assert (await client.get("/inside")).body == b"ok"
            for url in ["http://inside.test/", "http://10.0.0.1/", "http://localhost/"]:
                async with connect(proxy.port) as client:
                    assert (await client.get(url)).status == 403
        assert theirs.heads[0].startswith(
            "GET http://public.test/a HTTP/1.1\r\nHost: public.test\r\nProxy-Authorization: "
        )
        assert "forged" not in theirs.heads[0]
        assert not any("Proxy-Authorization" in head or STATE_HEADER in head for head in site.heads[1:])


@pytest.mark.parametrize("method", ["GET", "CONNECT"])
async def test_a_proxy_that_refuses_the_credentials_is_a_502_not_a_password_prompt(method: str) -> None:
    async with origin() as site, upstream_proxy(site) as theirs:
        upstream = UpstreamProxy(server=f"http://127.0.0.3:{theirs.port}", username="me", password="wrong")
        async with proxy_to(upstream=upstream) as proxy, connect(proxy.port) as client:
            target = "public.test:443" if method == "CONNECT" else "http://public.test/"
            reply = await client.request(f"{method} {target} HTTP/1.1")
            assert (reply.status, reply.headers["x-webgym-proxy"]) == (502, "upstream")
            assert "proxy-authenticate" not in reply.headers


@pytest.mark.parametrize(
    "server", ["127.0.0.1:1", "https://p.test:1", "http://p.test", "http://u:p@p.test:1", "http://p:1/x"]
)
async def test_a_proxy_address_that_cannot_be_used_is_said_at_once(server: str) -> None:
    with pytest.raises(ConfigError, match=r"proxy\.server"):
        async with proxy_to(upstream=UpstreamProxy(server=server)):
            pass


# Limits.


@pytest.mark.parametrize(
    "said",
    [
        b"GET / HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET http://127.0.0.2/ HTTP/1.1\nHost: x\n\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        b"POST http://127.0.0.2/ HTTP/1.1\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        b"POST http://127.0.0.2/ HTTP/1.1\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
        b"GET http://127.0.0.2/ HTTP/1.1\r\nA: b\r\n c\r\n\r\n",
        b"GET http://127.0.0.256/ HTTP/1.1\r\n\r\n",
        b"GET http://a:70000/ HTTP/1.1\r\n\r\n",
        b"CONNECT 127.0.0.2 HTTP/1.1\r\n\r\n",
    ],
)
async def test_malformed_requests_are_400_and_end_the_connection(said: bytes) -> None:
    async with proxy_to() as proxy, connect(proxy.port) as client:
        await client.send(said)
        reply = await client.receive()
        assert (reply.status, reply.headers["x-webgym-proxy"]) == (400, "malformed")
        assert await client.reader.read() == b""


async def test_malformed_chunks_end_the_connection_before_they_reach_the_server() -> None:
    async def swallow(exchange: Exchange) -> None:
        assert b"SMUGGLED" not in await exchange.reader.read()

    async with origin(handler=swallow) as site, proxy_to(site) as proxy, connect(proxy.port) as client:
        await client.send(f"POST http://{site.authority}/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        await until(lambda: site.heads != [])
        await client.send(b"1\r\na\r\n0\nGET /SMUGGLED HTTP/1.1\r\n\r\n")
        assert (await client.receive()).status == 400


async def test_a_head_that_is_too_large_is_431() -> None:
    async with proxy_to(limits=replace(FAST, head_bytes=4096)) as proxy:
        for filler in ["x" * 3_000, "x" * 50_000]:
            async with connect(proxy.port) as client:
                await client.send(f"GET http://10.0.0.1/ HTTP/1.1\r\nA: {filler}\r\n\r\n")
                assert (await client.receive()).status == (403 if len(filler) < 4096 else 431)
        async with connect(proxy.port) as client:
            await client.send("GET http://10.0.0.1/" + "x" * 5000)
            assert (await client.receive()).status == 431


async def test_connections_on_which_nothing_moves_are_closed() -> None:
    async def never(exchange: Exchange) -> None:
        await exchange.reader.read()

    async with (
        origin(handler=never) as site,
        proxy_to(site, limits=FAST) as proxy,
        connect(proxy.port) as idle,
        connect(proxy.port) as slow,
        connect(proxy.port) as waiting,
    ):
        await slow.send("GET http://10.0.0.1/ HTT")
        await waiting.send(f"GET http://{site.authority}/ HTTP/1.1\r\n\r\n")
        await until(lambda: site.heads != [])
        await until(lambda: proxy.connections == 0)
        for client in (idle, slow, waiting):
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await client.reader.readexactly(1)


async def test_connections_over_the_limit_are_told_so() -> None:
    limits = replace(FAST, connections=2, idle_seconds=30)
    async with proxy_to(limits=limits) as proxy, connect(proxy.port), connect(proxy.port):
        await until(lambda: proxy.connections == 2)
        async with connect(proxy.port) as third:
            assert (await third.receive()).status == 503


# Endings.


async def test_nothing_is_left_when_the_proxy_closes() -> None:
    async def never(exchange: Exchange) -> None:
        await exchange.reader.read()

    async with origin(handler=never) as site:
        tasks, files = len(asyncio.all_tasks()), len(os.listdir("/proc/self/fd"))  # noqa: PTH208
        async with proxy_to(site, allow=["slow.test:80"]) as proxy:
            clients = [await asyncio.open_connection("127.0.0.1", proxy.port) for _ in range(4)]
            clients[0][1].write(f"GET http://{site.authority}/ HTTP/1.1\r\n\r\n".encode())
            clients[1][1].write(f"CONNECT {site.authority} HTTP/1.1\r\n\r\n".encode())
            clients[2][1].write(b"GET http://slow.test/ HTTP/1.1\r\n\r\n")
            await until(lambda: proxy.requests == 3 and proxy.connections == 6)
        assert proxy.connections == 0
        for _, writer in clients:
            writer.close()
        await until(lambda: len(asyncio.all_tasks()) <= tasks)
        await until(lambda: len(os.listdir("/proc/self/fd")) <= files)  # noqa: PTH208
        with pytest.raises(OSError, match="111"):
            await asyncio.open_connection("127.0.0.1", proxy.port)


async def test_a_browser_that_goes_away_takes_its_upstream_with_it() -> None:
    async with origin() as site, proxy_to(site) as proxy:
        async with connect(proxy.port) as client:
            await client.get(f"http://{site.authority}/")
            assert proxy.connections == 2
        await until(lambda: proxy.connections == 0)


async def test_an_error_inside_the_block_comes_out_as_it_is() -> None:
    with pytest.raises(KeyError, match="mine"):
        async with proxy_to():
            raise KeyError("mine")


async def test_a_cancelled_block_closes_its_proxy() -> None:
    with anyio.move_on_after(0.05) as scope:
        async with proxy_to() as proxy:
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    with pytest.raises(OSError, match="111"):
        await asyncio.open_connection("127.0.0.1", proxy.port)
