"""Servers and clients on raw sockets, for tests that have to see every byte."""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

Handler = Callable[["Exchange"], Awaitable[None]]


@dataclass
class Exchange:
    """One request at an origin, its head read."""

    head: str
    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    async def reply(self, body: bytes = b"ok", *lines: str, status: str = "200 OK") -> None:
        head = "".join(f"{line}\r\n" for line in (f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *lines, ""))
        self.writer.write(head.encode() + body)
        await self.writer.drain()


async def reply_ok(exchange: Exchange) -> None:
    await exchange.reply()


@dataclass
class Origin:
    """A server that keeps connections alive and remembers what it was asked."""

    host: str
    handler: Handler = reply_ok
    port: int = 0
    connections: int = 0
    heads: list[str] = field(default_factory=list[str])

    @property
    def authority(self) -> str:
        return f"{self.host}:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                self.heads.append(head)
                await self.handler(Exchange(head, reader, writer))
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def origin(
    host: str = "127.0.0.2", handler: Handler = reply_ok, *, port: int = 0, tls: ssl.SSLContext | None = None
) -> AsyncGenerator[Origin]:
    served = Origin(host, handler)
    server = await asyncio.start_server(served.serve, host, port, ssl=tls)
    served.port = server.sockets[0].getsockname()[1]
    try:
        yield served
    finally:
        server.close()


@dataclass
class Reply:
    status: int
    headers: dict[str, str]
    body: bytes


class Client:
    """A connection on which anything can be said."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def send(self, data: bytes | str) -> None:
        self.writer.write(data.encode("latin-1") if isinstance(data, str) else data)
        await self.writer.drain()

    async def receive(self) -> Reply:
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:-2])}
        body = await self.reader.readexactly(int(headers.get("content-length", "0")))
        return Reply(int(lines[0].split()[1]), headers, body)

    async def request(self, *lines: str, body: bytes = b"") -> Reply:
        await self.send("".join(f"{line}\r\n" for line in (*lines, "")).encode("latin-1") + body)
        return await self.receive()

    async def get(self, url: str, *lines: str) -> Reply:
        return await self.request(f"GET {url} HTTP/1.1", *lines)


@asynccontextmanager
async def connect(port: int, host: str = "127.0.0.1") -> AsyncGenerator[Client]:
    reader, writer = await asyncio.open_connection(host, port)
    try:
        yield Client(reader, writer)
    finally:
        writer.close()
