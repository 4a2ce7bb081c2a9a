"""What a page can do to reach an address it may not, and that each of it works where it may."""

from __future__ import annotations

import base64
import hashlib
import os
import re
import socket
import ssl
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from ipaddress import ip_address
from urllib.parse import parse_qs, urlsplit

import anyio
import pytest
import trustme
from playwright.async_api import Browser, Error, Page, async_playwright
from tests.integration.origins import Exchange, Origin, origin

from webgym.browser.config import EgressConfig
from webgym.browser.server.chromium.launch import FLAGS
from webgym.browser.server.proxy.addresses import Address
from webgym.browser.server.proxy.forward import STATE_HEADER, ForwardProxy, open_proxy

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]

CHROMIUM = os.environ.get("WEBGYM_CHROMIUM", "/usr/bin/chromium-headless-shell")
HOME = "http://home.app.localhost/"
"""A hermetic page; of localhost, so that it may have a service worker."""

WORKER = """
  const answer = (client, text) => client.postMessage(text);
  onmessage = async (event) => {
    const {how, url} = event.data;
    if (how === "worker-fetch")
      fetch(url, {mode: "no-cors"}).then(() => answer(event.source, "done"), () => answer(event.source, "failed"));
  };
  oninstall = () => skipWaiting();
  onactivate = (event) => event.waitUntil(clients.claim());
"""
ATTEMPTS = {
    "iframe": """(url) => new Promise((done) => {
        const frame = document.createElement("iframe"); frame.onload = () => done("done"); frame.src = url;
        document.body.append(frame); })""",
    "image": """(url) => new Promise((done) => {
        const image = new Image(); image.onload = image.onerror = () => done("done"); image.src = url; })""",
    "fetch": """(url) => fetch(url, {mode: "no-cors"}).then(() => "done", () => "failed")""",
    "beacon": """(url) => String(navigator.sendBeacon(url, "x"))""",
    "form": """(url) => { document.body.innerHTML = `<form method=post action="${url}"></form>`;
        document.forms[0].submit(); return "sent"; }""",
    "websocket": """(url) => new Promise((done) => {
        const it = new WebSocket(url.replace("http", "ws"));
        it.onopen = () => done("done"); it.onerror = () => done("failed"); })""",
    "event-source": """(url) => new Promise((done) => {
        const it = new EventSource(url); it.onopen = () => done("done"); it.onerror = () => done("failed"); })""",
    "worker-script": """(url) => navigator.serviceWorker.register("/importing.js?url=" + encodeURIComponent(url))
        .then(() => "done", () => "failed")""",
    "worker-fetch": """async (url) => {
        await navigator.serviceWorker.register("/worker.js");
        const worker = (await navigator.serviceWorker.ready).active;
        return new Promise((done) => {
          navigator.serviceWorker.onmessage = (event) => done(event.data);
          worker.postMessage({how: "worker-fetch", url}); }); }""",
}


async def home(exchange: Exchange) -> None:
    url = urlsplit(exchange.head.split()[1])
    target = parse_qs(url.query).get("url", [""])[0]
    match url.path:
        case "/redirect":
            await exchange.reply(b"", f"Location: {target}", status="302 Found")
        case "/worker.js":
            await exchange.reply(WORKER.encode(), "Content-Type: text/javascript")
        case "/importing.js":
            await exchange.reply(f"importScripts({target!r})".encode(), "Content-Type: text/javascript")
        case _:
            await exchange.reply(b"<!doctype html><title>home</title>", "Content-Type: text/html")


async def elsewhere(exchange: Exchange) -> None:
    """Answers everything, websockets included."""
    key = re.search(r"^sec-websocket-key: (\S+)", exchange.head, re.IGNORECASE | re.MULTILINE)
    if key:
        accept = websocket_accept(key[1])
        lines = ("Upgrade: websocket", "Connection: Upgrade", f"Sec-WebSocket-Accept: {accept}", "", "")
        exchange.writer.write("\r\n".join(("HTTP/1.1 101 Switching Protocols", *lines)).encode())
        await exchange.reader.read()
        return
    kind = "text/javascript" if "worker-script" in exchange.head else "text/html"
    kind = "text/event-stream" if "event-source" in exchange.head else kind
    await exchange.reply(b"", f"Content-Type: {kind}", "Access-Control-Allow-Origin: *", "Connection: close")
    exchange.writer.close()


def websocket_accept(key: str) -> str:
    return base64.b64encode(hashlib.sha1(f"{key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11".encode()).digest()).decode()


@dataclass
class Visit:
    page: Page
    proxy: ForwardProxy
    home: Origin
    there: Origin


@pytest.fixture(scope="module")
async def chromium(anyio_backend: str) -> AsyncGenerator[Browser]:
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *FLAGS])
        yield browser
        await browser.close()


async def resolve(host: str) -> Sequence[Address]:
    if host == "inside.test":
        return [ip_address("127.0.0.7")]
    raise socket.gaierror(socket.EAI_NONAME, "no such name")


@asynccontextmanager
async def visit(
    chromium: Browser, host: str, *, allowed: bool, tls: ssl.SSLContext | None = None
) -> AsyncGenerator[Visit]:
    async with origin("127.0.0.6", home) as own, origin("127.0.0.7", elsewhere, tls=tls) as there:
        egress = EgressConfig(
            allow=(f"{host}:{there.port}",) if allowed else (), hermetic={"*.app.localhost:80": own.authority}
        )
        async with open_proxy(egress, state_key="key", resolver=resolve) as proxy:
            server = f"http://127.0.0.1:{proxy.port}"
            context = await chromium.new_context(
                proxy={"server": server, "bypass": "<-loopback>"}, ignore_https_errors=True
            )
            try:
                yield Visit(await context.new_page(), proxy, own, there)
            finally:
                await context.close()


async def attempt(visit: Visit, how: str, url: str) -> str:
    """Try to reach `url` from a page; what the page was told."""
    if how in {"navigation", "redirect"}:
        first = url if how == "navigation" else f"{HOME}redirect?url={url}"
        try:
            response = await visit.page.goto(first)
        except Error:
            return "failed"
        return "done" if response is not None and response.ok else "failed"
    await visit.page.goto(HOME)
    with anyio.fail_after(20):
        return await visit.page.evaluate(ATTEMPTS[how], url)


async def settled(visit: Visit, *, allowed: bool) -> None:
    with anyio.fail_after(10):
        while not (visit.there.heads if allowed else visit.proxy.refused):
            await anyio.sleep(0.01)


@pytest.mark.parametrize("how", ["navigation", "redirect", *ATTEMPTS])
@pytest.mark.parametrize("host", ["inside.test", "127.0.0.7"])
async def test_a_private_address_cannot_be_reached(chromium: Browser, how: str, host: str) -> None:
    async with visit(chromium, host, allowed=False) as visited:
        url = f"http://{host}:{visited.there.port}/{how}"
        await attempt(visited, how, url)
        await settled(visited, allowed=False)
        assert "127.0.0.7 is a loopback address" in (visited.proxy.refusal_of(url) or "")
        assert visited.there.connections == 0


@pytest.mark.parametrize("how", ["navigation", "redirect", *ATTEMPTS])
async def test_an_allowed_address_is_reached_in_every_way(chromium: Browser, how: str) -> None:
    async with visit(chromium, "inside.test", allowed=True) as visited:
        url = f"http://inside.test:{visited.there.port}/{how}"
        assert await attempt(visited, how, url) in {"done", "true", "sent"}
        await settled(visited, allowed=True)
        assert any(f"/{how}" in head for head in visited.there.heads)
        assert (visited.proxy.refused, visited.proxy.refusal_of(url)) == (0, None)
        assert not any(STATE_HEADER.lower() in head.lower() for head in visited.there.heads)


@pytest.mark.parametrize("how", ["navigation", "fetch", "websocket"])
@pytest.mark.parametrize("allowed", [False, True])
async def test_tls_makes_no_difference(chromium: Browser, how: str, *, allowed: bool) -> None:
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    trustme.CA().issue_cert("inside.test").configure_cert(tls)
    async with visit(chromium, "inside.test", allowed=allowed, tls=tls) as visited:
        url = f"https://inside.test:{visited.there.port}/{how}"
        assert await attempt(visited, how, url) == ("done" if allowed else "failed")
        assert visited.there.connections == 0 or allowed
        assert (visited.proxy.refusal_of(url) is None) == allowed


async def test_every_request_to_a_hermetic_site_carries_the_key_and_no_page_sees_it(chromium: Browser) -> None:
    async with visit(chromium, "inside.test", allowed=False) as visited:
        assert await attempt(visited, "worker-fetch", f"{HOME}data") == "done"
        await visited.page.evaluate(f"fetch('/own', {{headers: {{'{STATE_HEADER}': 'forged'}}}})")
        assert await visited.page.evaluate("fetch('/x').then((reply) => JSON.stringify([...reply.headers]))")
        paths = {head.split()[1] for head in visited.home.heads}
        assert {"/", "/worker.js", "/data", "/own"} <= paths
        for head in visited.home.heads:
            assert f"\r\n{STATE_HEADER}: key\r\n" in head
            assert "forged" not in head
            assert "\r\nHost: home.app.localhost\r\n" in head


async def test_the_agent_is_shown_why_a_page_was_refused(chromium: Browser) -> None:
    async with visit(chromium, "inside.test", allowed=False) as visited:
        response = await visited.page.goto("http://169.254.169.254/latest/meta-data/")
        assert response is not None
        assert (response.status, response.headers["x-webgym-proxy"]) == (403, "refused")
        assert "169.254.169.254 is a link-local address" in await visited.page.inner_text("body")
        with pytest.raises(Error, match="ERR_TUNNEL_CONNECTION_FAILED"):
            await visited.page.goto("https://10.0.0.1/")
        assert visited.proxy.refusal_of("https://10.0.0.1/") == "10.0.0.1:443: 10.0.0.1 is a private address"


@pytest.mark.parametrize(
    "spelling", ["2130706439", "0x7f000007", "0177.7", "127.7", "[::ffff:127.0.0.7]", "127.0.0.7."]
)
async def test_no_spelling_of_a_private_address_is_reached(chromium: Browser, spelling: str) -> None:
    async with visit(chromium, "inside.test", allowed=False) as visited:
        assert await attempt(visited, "navigation", f"http://{spelling}:{visited.there.port}/") == "failed"
        assert (visited.there.connections, visited.proxy.refused > 0) == (0, True)


async def test_many_images_of_one_host_share_a_few_connections(chromium: Browser) -> None:
    async with visit(chromium, "inside.test", allowed=False) as visited:
        await visited.page.goto(HOME)
        await visited.page.evaluate(
            """(count) => Promise.all(Array.from({length: count}, (_, n) => fetch("/image?" + n)))""", 200
        )
        assert len(visited.home.heads) >= 201
        assert visited.home.connections <= 8


async def test_webrtc_cannot_send_datagrams_past_the_proxy(chromium: Browser) -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as listener:
        listener.bind(("127.0.0.7", 0))
        listener.setblocking(False)
        async with visit(chromium, "inside.test", allowed=False) as visited:
            await visited.page.goto(HOME)
            await visited.page.evaluate(
                """async (url) => {
                    const peer = new RTCPeerConnection({iceServers: [{urls: url}]});
                    peer.createDataChannel("x");
                    await peer.setLocalDescription();
                    await new Promise((done) => { peer.onicegatheringstatechange = () =>
                        peer.iceGatheringState === "complete" && done(); setTimeout(done, 1500); }); }""",
                f"stun:127.0.0.7:{listener.getsockname()[1]}",
            )
        with pytest.raises(BlockingIOError):
            listener.recv(1)
