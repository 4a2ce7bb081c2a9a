"""Multiplexes Chromium's CDP pipe between Playwright and our own sessions, which bypass Playwright.

A step makes a dozen CDP calls. Through Playwright each of them, screenshots included, passes two more JSON parsers. So
Playwright keeps what it is good at (contexts, pages, dialogs, frames), and the calls of every step go over lines of our
own: flat CDP sessions on the same pipe. Messages are routed by session id.

Playwright enables network and lifecycle events on every page. Nothing here uses them, on pages with many images they
cost a seventh of a step's CPU time, and Playwright has no option to turn them off. So, while `quiet` is set, its
`Network.enable` is rewritten to `Network.disable`, and lifecycle events stay off.

All sessions of a Chromium share this pipe, so what one page sends delays the others. Nobody reads what pages log and
throw: where that can be turned off it is, and the rest is dropped here. A page that sends too much anyway is ended: see
`allowance`.
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
from webgym.browser.server.chromium.allowance import COSTS, PLAYWRIGHTS_COST, Account, Accounts
from webgym.browser.server.chromium.inject import worker_script

logger = logging.getLogger(__name__)

Params = dict[str, Any]
Call = tuple[str, Params]
"""A CDP method and its parameters."""
Listener = Callable[[Params], None]

_OURS = 1_000_000_000
"""First id of our own calls, which tells them apart from Playwright's, which count from 1."""
_QUIETENED = (
    (b'"method":"Network.enable"', b'"method":"Network.disable"'),
    (
        b'"method":"Page.setLifecycleEventsEnabled","params":{"enabled":true}',
        b'"method":"Page.setLifecycleEventsEnabled","params":{"enabled":false}',
    ),
)
"""Playwright's commands and their replacements. Both get the same, empty, result."""
_LOG = (b'"method":"Log.enable"', b'"method":"Log.disable"')
_CONTEXTS = (b'"method":"Runtime.enable"', b'"method":"Runtime.disable"')
"""Workers log and throw too, and nothing is evaluated in them."""
_EVENT = b'{"method":"'
UNREAD = frozenset(
    {
        b"Runtime.consoleAPICalled",
        b"Runtime.exceptionThrown",
        b"Runtime.exceptionRevoked",
        b"Log.entryAdded",
        b"Page.domContentEventFired",
        b"Page.downloadProgress",
        b"Page.downloadWillBegin",
        b"Page.frameClearedScheduledNavigation",
        b"Page.frameResized",
        b"Page.frameScheduledNavigation",
        b"Page.frameStartedLoading",
        b"Page.frameStartedNavigating",
        b"Page.frameStoppedLoading",
        b"Page.frameSubtreeWillBeDetached",
        b"Page.loadEventFired",
    }
)
"""Events that Playwright has no listener for, or only to tell its own listeners, of which there are none."""
ENDED = "Switchboard.ended"
"""An event of our own: the page is being ended, for the reason `why`."""
_SESSION = b'"sessionId":"'
_TAIL = 64
"""A message ends with its session id: `,"sessionId":"32 characters"}`."""
CLOSED = "Target page, context or browser has been closed"


class CdpMessage(msgspec.Struct):
    """A CDP response or event."""

    id: int = 0
    method: str = ""
    params: Params = {}
    result: Params = {}
    error: Params | None = None


class Messages:
    """Splits a stream into messages, which are terminated by a null byte."""

    def __init__(self) -> None:
        self._buffer = bytearray()

    def feed(self, data: bytes) -> list[bytes]:
        """Add received data, and return the messages that are now complete."""
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
    """Rewrite a command of Playwright's so that it does not enable network or lifecycle events."""
    # Inside a JSON string the quotes would be escaped, so page content cannot match.
    for said, instead in _QUIETENED:
        if said in message:
            return message.replace(said, instead, 1)
    return message


def event_of(message: bytes) -> bytes:
    """Return the name of the event that a message from Chromium is; empty for a response."""
    return message[len(_EVENT) : message.find(b'"', len(_EVENT))] if message.startswith(_EVENT) else b""


def session_of(message: bytes) -> str:
    """Return the session id of a message from Chromium; empty for the root session."""
    start = message.rfind(_SESSION, max(0, len(message) - _TAIL))
    if start < 0 or not message.endswith(b'"}'):
        return ""
    return message[start + len(_SESSION) : -2].decode("latin-1")


class Line:
    """A CDP session of our own. Raises Playwright's `Error`, like the API that it stands in for."""

    def __init__(self, board: Switchboard, session: str) -> None:
        self._board = board
        self.session = session
        self._waiting: dict[int, asyncio.Future[CdpMessage]] = {}
        self._listeners: dict[str, list[Listener]] = {}
        self.closed = False

    async def send(self, method: str, params: Params | None = None) -> Params:
        """Call a method and return its result. Calls on one line are executed in order."""
        return _result(method, await self._post(method, params))

    async def send_all(self, calls: Sequence[Call]) -> None:
        """Pipeline several calls; return after the last response, or then raise the first error."""
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
                reply.cancel()  # on cancellation: abandon the responses that are left
        if failure is not None:
            raise failure

    def _post(self, method: str, params: Params | None) -> asyncio.Future[CdpMessage]:
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
        """Add a listener for an event."""
        self._listeners.setdefault(event, []).append(listener)

    def remove_listener(self, event: str, listener: Listener) -> None:
        """Remove a listener, if it is registered."""
        if listener in self._listeners.get(event, ()):
            self._listeners[event].remove(listener)

    def hears(self, event: str) -> bool:
        """Return whether anybody listens to an event."""
        return event in self._listeners

    def take(self, message: CdpMessage) -> None:
        """Process a message from Chromium."""
        if message.id:
            reply = self._waiting.pop(message.id, None)
            if reply and not reply.done():
                reply.set_result(message)
            return
        for listener in tuple(self._listeners.get(message.method, ())):
            listener(message.params)

    def close(self) -> None:
        """Fail all pending calls, and refuse further ones."""
        self.closed = True
        for reply in self._waiting.values():
            if not reply.done():
                reply.set_exception(Error(CLOSED))
        self._waiting.clear()


def _result(method: str, message: CdpMessage) -> Params:
    if message.error is not None:
        raise Error(f"Protocol error ({method}): {message.error.get('message', '')}")
    return message.result


class Switchboard:
    """Relays messages between Playwright and Chromium, interleaved with those of our own lines."""

    def __init__(self, *, quiet: bool) -> None:
        self.quiet = quiet
        self._numbers = count(_OURS)
        self._decoder = msgspec.json.Decoder(CdpMessage)
        self._root = Line(self, "")
        self._lines: dict[str, Line] = {}
        self._accounts = Accounts(quiet=quiet)
        self._chromium: asyncio.WriteTransport | None = None
        self._playwright: asyncio.WriteTransport | None = None
        self._readers: list[asyncio.ReadTransport] = []

    async def connect(self, commands: int, replies: int, from_chromium: int, to_chromium: int) -> None:
        """Start relaying between Playwright's pipe (`commands`, `replies`) and Chromium's."""
        self._chromium = await _writer(to_chromium)
        self._playwright = await _writer(replies)
        self._readers.append(await _reader(from_chromium, self._from_chromium, self.close))
        self._readers.append(await _reader(commands, self._from_playwright, self._playwright_gone))
        if self._chromium.is_closing():  # it ended meanwhile, when not all of this was there to be closed
            self.close()

    async def open_browser_line(self) -> Line:
        """Open a line to the browser target, from which others are opened."""
        attached = await self._root.send("Target.attachToBrowserTarget")
        line = self._lines[attached["sessionId"]] = Line(self, attached["sessionId"])
        line.on("Target.attachedToTarget", lambda params: self._attached(params["sessionId"]))
        line.on("Target.detachedFromTarget", lambda params: self._detached(params["sessionId"]))
        return line

    async def open_line(self, browser: Line, target: str) -> Line:
        """Open a line to a page target."""
        attached = await browser.send("Target.attachToTarget", {"targetId": target, "flatten": True})
        # The preceding `attachedToTarget` event created it; the page may have closed again before this reply is read.
        line = self._lines.get(attached["sessionId"])
        if line is None:
            raise Error(CLOSED)
        return line

    def next_number(self) -> int:
        return next(self._numbers)

    def call(self, number: int, method: str, params: Params | None, session: str) -> None:
        """Send a command."""
        if self._chromium is None or self._chromium.is_closing():
            raise Error(CLOSED)
        message: Params = {"id": number, "method": method, "params": params or {}}
        if session:
            message["sessionId"] = session
        self._chromium.write(surrogates.encode(message) + b"\0")

    def _from_playwright(self, messages: list[bytes]) -> None:
        if self._chromium is not None and self._chromium.is_closing():
            self.close()  # so that Playwright learns of it too
        elif self._chromium is not None:
            self._chromium.write(b"".join(self._muted(message) + b"\0" for message in messages))

    def _muted(self, message: bytes) -> bytes:
        """Rewrite a command of Playwright's that would make pages report what nobody reads."""
        if self.quiet:
            message = quietened(message)
        if _CONTEXTS[0] in message and self._accounts.is_worker(session_of(message)):
            return message.replace(*_CONTEXTS, 1)
        return message.replace(*_LOG, 1)

    def _from_chromium(self, messages: list[bytes]) -> None:
        for message in messages:
            session = session_of(message)
            event = event_of(message)
            line = self._lines.get(session) or (None if event else self._own(message))
            if event and not self._passes(event, message, session, line):
                continue
            if line is not None:
                self._hand(line, message)
            elif self._playwright is not None:
                self._playwright.write(message + b"\0")

    def _passes(self, event: bytes, message: bytes, session: str, line: Line | None) -> bool:
        """Charge an event to its page, and return whether it is to be passed on."""
        match event:
            case b"Target.attachedToTarget":
                worker = self._accounts.attached(message, session)
                if worker and line is None:
                    # It waits for Playwright, which will have it run; until then this comes first.
                    self.call(self.next_number(), "Runtime.evaluate", {"expression": worker_script()}, worker)
            case b"Target.detachedFromTarget":
                self._accounts.detached(message)
            case _:
                pass
        read = line.hears(event.decode()) if line is not None else event not in UNREAD
        account = self._accounts.get(session)
        if account is None:
            return read
        cost = COSTS.get(event) or (PLAYWRIGHTS_COST if read and line is None else 1.0)
        if not account.ended and not account.spend(len(message), cost):
            guilty = account if account.page.exceeded else self._accounts.heaviest(account.context) or account
            self._end(guilty, "it flooded the browser with events")
        return read and not account.ended

    def end_page(self, line: Line, why: str) -> None:
        """End the page that a line is attached to, whose process may be too busy to close it."""
        account = self._accounts.get(line.session)
        if account is not None and not account.ended:
            self._end(account, why)

    def _end(self, account: Account, why: str) -> None:
        account.end()
        logger.warning("page %s is ended: %s", account.target[:8], why)
        lines = {session: self._accounts.get(session) for session in self._lines}
        for session in [session for session, owner in lines.items() if owner is account]:
            self.call(self.next_number(), "Page.crash", None, session)
            self._lines[session].take(CdpMessage(method=ENDED, params={"why": why}))
        # Its windows that are no tabs yet cannot become one, because they share its process.
        for page in (
            account,
            *(window for window in self._accounts.opened_by(account) if window not in lines.values()),
        ):
            self.call(self.next_number(), "Target.closeTarget", {"targetId": page.target}, "")

    def _hand(self, line: Line, message: bytes) -> None:
        try:
            line.take(surrogates.decode(self._decoder, message))
        except Exception:  # an exception here would close the pipe, and with it every session of this Chromium
            logger.exception("a message from Chromium could not be handled: %.200r", message)

    def _own(self, message: bytes) -> Line | None:
        """Return the root line if the message is a response to a call of ours, on any session of Playwright's."""
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
        """Close both pipes and all lines."""
        for line in (self._root, *self._lines.values()):
            line.close()
        self._lines.clear()
        for transport in (self._playwright, self._chromium, *self._readers):
            if transport is not None:
                transport.close()

    def _playwright_gone(self) -> None:
        if self._chromium is not None:
            self._chromium.close()  # Chromium exits when its pipe closes


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
