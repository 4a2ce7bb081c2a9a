"""One debugging pipe for two: Playwright, and the session's own calls, which need no detour through Playwright.

A step asks the browser a dozen things. Through Playwright each of them passes two more JSON parsers, screenshots
included. So Playwright keeps what it is good at (contexts, pages, dialogs, frames), and what happens in every step goes
over lines of our own: flat DevTools sessions on the same pipe. Messages are told apart by the session they name.

Playwright has every page report each request and response, and a dozen stages of each document's life. Nobody here
listens, and on pages with many pictures it costs a seventh of a step's processor time; Playwright has no option for it.
So its `Network.enable` becomes `Network.disable` here, and lifecycle events stay off, except while `quiet` is off.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import msgspec
from playwright.async_api import Error

from webgym.browser.server.chromium import surrogates

logger = logging.getLogger(__name__)

Params = dict[str, Any]
Call = tuple[str, Params]
"""A method and its parameters."""
Listener = Callable[[Params], None]

_OURS = 1_000_000_000
"""Numbers of our calls outside of any session; Playwright counts from 1."""
_QUIETENED = (
    (b'"method":"Network.enable"', b'"method":"Network.disable"'),
    (
        b'"method":"Page.setLifecycleEventsEnabled","params":{"enabled":true}',
        b'"method":"Page.setLifecycleEventsEnabled","params":{"enabled":false}',
    ),
)
"""What Playwright says, and what is said in its place. The answers are the same: empty."""
_SESSION = b'"sessionId":"'
_TAIL = 64
"""A message ends with the session that it belongs to: `,"sessionId":"32 characters"}`."""
CLOSED = "Target page, context or browser has been closed"


class Message(msgspec.Struct):
    """A reply or an event."""

    id: int = 0
    method: str = ""
    params: Params = {}
    result: Params = {}
    error: Params | None = None


class Messages:
    """Cuts a stream into messages, which end with a zero byte."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """The messages that are complete now."""
        searched = len(self._buffer)
        self._buffer += data
        found: list[bytes] = []
        start = 0
        while (end := self._buffer.find(b"\0", max(start, searched))) >= 0:
            found.append(bytes(memoryview(self._buffer)[start:end]))
            start = end + 1
        del self._buffer[:start]
        return found


def quietened(message: bytes) -> bytes:
    """A command of Playwright's, which does not get to hear of requests and of how far documents are."""
    # Inside a JSON string these quotes would be escaped, so nothing a page says can look like this.
    for said, instead in _QUIETENED:
        if said in message:
            return message.replace(said, instead, 1)
    return message


def session_of(message: bytes) -> str:
    """The session that a message from Chromium belongs to; empty: the browser's own."""
    start = message.rfind(_SESSION, max(0, len(message) - _TAIL))
    if start < 0 or not message.endswith(b'"}'):
        return ""
    return message[start + len(_SESSION) : -2].decode("latin-1")


class Line:
    """One DevTools session of our own. Raises Playwright's errors, as those who call it know them."""

    def __init__(self, board: Switchboard, session: str) -> None:
        self._board = board
        self.session = session
        self._waiting: dict[int, asyncio.Future[Message]] = {}
        self._listeners: dict[str, list[Listener]] = {}
        self.closed = False

    async def send(self, method: str, params: Params | None = None) -> Params:
        """Call and wait for the result. Calls of one line are carried out in order."""
        return _result(method, await self._post(method, params))

    async def send_all(self, calls: Sequence[Call]) -> None:
        """Call one thing after another without waiting in between; return, or raise the first error, after the last."""
        replies = [(method, self._post(method, params)) for method, params in calls]
        failure: Error | None = None
        try:
            for method, reply in replies:
                try:
                    _result(method, await reply)
                except Error as error:
                    failure = failure or error
        finally:
            for _, reply in replies:
                reply.cancel()  # of those left when this is cut short: nobody asks what came of them
        if failure is not None:
            raise failure

    def _post(self, method: str, params: Params | None) -> asyncio.Future[Message]:
        if self.closed:
            raise Error(CLOSED)
        number = self._board.next_number()
        reply = self._waiting[number] = asyncio.get_running_loop().create_future()
        try:
            self._board.call(number, method, params, self.session)
        except BaseException:
            del self._waiting[number]
            raise
        return reply

    def on(self, event: str, listener: Listener) -> None:
        """Hear of an event."""
        self._listeners.setdefault(event, []).append(listener)

    def remove_listener(self, event: str, listener: Listener) -> None:
        """Hear of it no longer."""
        if listener in self._listeners.get(event, ()):
            self._listeners[event].remove(listener)

    def take(self, message: Message) -> None:
        """A message from Chromium."""
        if message.id:
            reply = self._waiting.pop(message.id, None)
            if reply and not reply.done():
                reply.set_result(message)
            return
        for listener in tuple(self._listeners.get(message.method, ())):
            listener(message.params)

    def close(self) -> None:
        """Nobody will answer any more."""
        self.closed = True
        for reply in self._waiting.values():
            if not reply.done():
                reply.set_exception(Error(CLOSED))
        self._waiting.clear()


def _result(method: str, message: Message) -> Params:
    if message.error is not None:
        raise Error(f"Protocol error ({method}): {message.error.get('message', '')}")
    return message.result


class Switchboard:
    """Passes messages between Playwright and Chromium, and ours to and fro."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self._numbers = count(_OURS)
        self._decoder = msgspec.json.Decoder(Message)
        self._root = Line(self, "")
        self._lines: dict[str, Line] = {}
        self._chromium: asyncio.WriteTransport | None = None
        self._playwright: asyncio.WriteTransport | None = None
        self._readers: list[asyncio.ReadTransport] = []

    async def connect(self, commands: int, replies: int, from_chromium: int, to_chromium: int) -> None:
        """Begin, with both ends of both pipes."""
        self._chromium = await _writer(to_chromium)
        self._playwright = await _writer(replies)
        self._readers = [
            await _reader(from_chromium, self._from_chromium, self.close),
            await _reader(commands, self._from_playwright, self._playwright_gone),
        ]

    async def open_browser_line(self) -> Line:
        """A line to the browser itself, from which others are opened."""
        attached = await self._root.send("Target.attachToBrowserTarget")
        line = self._lines[attached["sessionId"]] = Line(self, attached["sessionId"])
        line.on("Target.attachedToTarget", lambda params: self._attached(params["sessionId"]))
        line.on("Target.detachedFromTarget", lambda params: self._detached(params["sessionId"]))
        return line

    async def open_line(self, browser: Line, target: str) -> Line:
        """A line to a page."""
        attached = await browser.send("Target.attachToTarget", {"targetId": target, "flatten": True})
        # Made by the event that came before this reply: the page may have gone again before the reply is looked at.
        line = self._lines.get(attached["sessionId"])
        if line is None:
            raise Error(CLOSED)
        return line

    def next_number(self) -> int:
        return next(self._numbers)

    def call(self, number: int, method: str, params: Params | None, session: str) -> None:
        """Write a call."""
        if self._chromium is None or self._chromium.is_closing():
            raise Error(CLOSED)
        message: Params = {"id": number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        self._chromium.write(surrogates.encode(message) + b"\0")

    def _from_playwright(self, messages: list[bytes]) -> None:
        if self._chromium is not None:
            passed = map(quietened, messages) if self.quiet else messages
            self._chromium.write(b"".join(message + b"\0" for message in passed))

    def _from_chromium(self, messages: list[bytes]) -> None:
        for message in messages:
            session = session_of(message)
            line = self._lines.get(session) if session else self._own(message)
            if line is not None:
                self._hand(line, message)
            elif self._playwright is not None:
                self._playwright.write(message + b"\0")

    def _hand(self, line: Line, message: bytes) -> None:
        try:
            line.take(surrogates.decode(self._decoder, message))
        except Exception:  # it would close the pipe, and with it every session of this Chromium
            logger.exception("a message from Chromium could not be taken: %.200r", message)

    def _own(self, message: bytes) -> Line | None:
        """The root line, if the message answers one of its calls."""
        head, _, rest = message.partition(b":")
        number = rest.partition(b",")[0]
        return self._root if head == b'{"id"' and number.isdigit() and int(number) >= _OURS else None

    def _attached(self, session: str) -> None:
        self._lines[session] = Line(self, session)

    def _detached(self, session: str) -> None:
        line = self._lines.pop(session, None)
        if line is not None:
            line.close()

    def close(self) -> None:
        """Let go of both pipes: nobody will answer any more."""
        for line in (self._root, *self._lines.values()):
            line.close()
        self._lines.clear()
        for transport in (self._playwright, self._chromium, *self._readers):
            if transport is not None:
                transport.close()

    def _playwright_gone(self) -> None:
        if self._chromium is not None:
            self._chromium.close()  # Chromium ends with its pipe


class _Incoming(asyncio.Protocol):
    def __init__(self, take: Callable[[list[bytes]], None], gone: Callable[[], None]) -> None:
        self._messages = Messages()
        self._take = take
        self._gone = gone

    def data_received(self, data: bytes) -> None:
        if messages := self._messages.feed(data):
            self._take(messages)

    def connection_lost(self, exc: Exception | None) -> None:
        del exc
        self._gone()


async def _reader(
    descriptor: int, take: Callable[[list[bytes]], None], gone: Callable[[], None]
) -> asyncio.ReadTransport:
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_read_pipe(lambda: _Incoming(take, gone), os.fdopen(descriptor, "rb", 0))
    return transport


async def _writer(descriptor: int) -> asyncio.WriteTransport:
    loop = asyncio.get_running_loop()
    transport, _ = await loop.connect_write_pipe(asyncio.Protocol, os.fdopen(descriptor, "wb", 0))
    return transport
