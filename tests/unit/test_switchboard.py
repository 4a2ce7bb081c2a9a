"""What passes through the switchboard, and what does not."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import anyio
import anyio.to_thread
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from playwright.async_api import Error

from webgym.browser.server.chromium.switchboard import (
    ENDED,
    CdpMessage,
    Line,
    Messages,
    Switchboard,
    quietened,
    session_of,
)

ENABLE = b'{"id":1,"method":"Network.enable","sessionId":"A"}'
DISABLE = b'{"id":1,"method":"Network.disable","sessionId":"A"}'


def test_network_reports_are_turned_off_and_nothing_else_changes():
    other = b'{"id":2,"method":"Page.enable","params":{}}'
    assert [quietened(message) for message in (other, ENABLE)] == [other, DISABLE]


def test_the_stages_of_a_document_are_not_told_either():
    asked = b'{"id":4,"method":"Page.setLifecycleEventsEnabled","params":{"enabled":true},"sessionId":"A"}'
    assert quietened(asked) == asked.replace(b"true", b"false")


def test_what_a_page_says_cannot_look_like_a_command():
    quoted = rb'{"id":3,"method":"Runtime.evaluate","params":{"expression":"\"method\":\"Network.enable\""}}'
    assert quietened(quoted) == quoted


def test_a_message_belongs_to_the_session_it_ends_with():
    assert session_of(b'{"id":1,"result":{},"sessionId":"0123456789ABCDEF0123456789ABCDEF"}') == "0123456789ABCDEF" * 2
    assert session_of(b'{"id":1,"result":{"sessionId":"B"}}') == ""
    assert session_of(b'{"id":1,"result":{"x":"y"}}') == ""


def test_what_a_page_says_cannot_look_like_a_session():
    said = rb'{"id":1,"result":{"result":{"value":"\"sessionId\":\"B\"}"}}}'
    assert session_of(said) == ""
    ended = rb'{"id":1,"result":{"result":{"value":"\",\"sessionId\":\"B"}},"sessionId":"A"}'
    assert session_of(ended) == "A"


class Board(Switchboard):
    """Writes down what is called."""

    def __init__(self) -> None:
        super().__init__(quiet=True)
        self.called: dict[int, str] = {}

    def call(self, number: int, method: str, params: dict[str, Any] | None, session: str) -> None:
        self.called[number] = method


@pytest.mark.anyio
async def test_calls_sent_together_are_waited_for_together_and_the_first_error_is_told():
    board = Board()
    line = Line(board, "A")
    calls = asyncio.ensure_future(line.send_all([("Input.one", {}), ("Input.two", {}), ("Input.three", {})]))
    await asyncio.sleep(0)
    assert list(board.called.values()) == ["Input.one", "Input.two", "Input.three"]
    first, second, third = board.called
    line.take(msgspec.convert({"id": first}, CdpMessage))
    line.take(msgspec.convert({"id": third, "error": {"message": "later"}}, CdpMessage))
    await asyncio.sleep(0)
    assert not calls.done()
    line.take(msgspec.convert({"id": second, "error": {"message": "no such key"}}, CdpMessage))
    with pytest.raises(Error, match="no such key"):
        await calls


@pytest.mark.anyio
async def test_calls_under_way_end_when_their_line_does():
    line = Line(Board(), "A")
    calls = asyncio.ensure_future(line.send_all([("Input.one", {}), ("Input.two", {})]))
    await asyncio.sleep(0)
    line.close()
    with pytest.raises(Error, match="closed"):
        await calls
    with pytest.raises(Error, match="closed"):
        await line.send("Input.three")


class Piped(Switchboard):
    """Hears what a test says in Chromium's place."""

    def hear(self, *messages: bytes) -> None:
        self._from_chromium(list(messages))

    def line(self, session: str) -> Line:
        line = self._lines[session] = Line(self, session)
        return line


def event(title: str, session: str = "A") -> bytes:
    return f'{{"method":"Page.titled","params":{{"title":"{title}"}},"sessionId":"{session}"}}'.encode()


def test_half_a_character_arrives_as_a_replacement_character():
    board, titles = Piped(quiet=True), []
    board.line("A").on("Page.titled", lambda params: titles.append(params["title"]))
    board.hear(event(r"Party \ud83d"), event(r"\ud83c\udf89"))
    assert titles == ["Party \ufffd", "\U0001f389"]


def test_a_message_that_cannot_be_taken_does_not_keep_others_from_their_lines(caplog):
    def fail(_: dict[str, Any]) -> None:
        raise KeyError("frameId")

    board, titles = Piped(quiet=True), []
    board.line("A").on("Page.titled", fail)
    board.line("B").on("Page.titled", lambda params: titles.append(params["title"]))
    board.hear(event("first"), b'{"method":"Page.titled","params":{"title":,"sessionId":"B"}', event("last", "B"))
    assert titles == ["last"]
    assert caplog.text.count("could not be handled") == 2


class Asked(Piped):
    """Writes down what is called, and hears what a test says in Chromium's place."""

    def __init__(self) -> None:
        super().__init__(quiet=True)
        self.called: dict[str, int] = {}

    def call(self, number: int, method: str, params: dict[str, Any] | None, session: str) -> None:
        self.called[method] = number


@pytest.mark.anyio
async def test_a_page_that_is_gone_before_its_line_is_looked_at_is_told_as_closed():
    board = Asked()
    opening = asyncio.ensure_future(board.open_browser_line())
    await asyncio.sleep(0)
    board.hear(f'{{"id":{board.called["Target.attachToBrowserTarget"]},"result":{{"sessionId":"B"}}}}'.encode())
    browser = await opening
    line = asyncio.ensure_future(board.open_line(browser, "a-page"))
    await asyncio.sleep(0)
    board.hear(
        b'{"method":"Target.attachedToTarget","params":{"sessionId":"P"},"sessionId":"B"}',
        f'{{"id":{board.called["Target.attachToTarget"]},"result":{{"sessionId":"P"}},"sessionId":"B"}}'.encode(),
        b'{"method":"Target.detachedFromTarget","params":{"sessionId":"P"},"sessionId":"B"}',
    )
    with pytest.raises(Error, match="closed"):
        await line


LOGGED = b'{"method":"Runtime.consoleAPICalled","params":{"type":"log"},"sessionId":"P"}'
THROWN = b'{"method":"Runtime.exceptionThrown","params":{},"sessionId":"P"}'
PAGE = b'{"method":"Target.attachedToTarget","params":{"sessionId":"P","targetInfo":{"targetId":"T","type":"page"}}}'
WORKER = PAGE.replace(b'"P"', b'"W"').replace(b'"page"', b'"worker"')[:-1] + b',"sessionId":"P"}'
OURS = b'{"method":"Target.attachedToTarget","params":{"sessionId":"L","targetInfo":{"targetId":"T","type":"page"}},'
OURS += b'"sessionId":"B"}'


class Written:
    """A pipe that keeps what is written to it."""

    def __init__(self) -> None:
        self.messages: list[bytes] = []

    def write(self, data: bytes) -> None:
        self.messages += data.split(b"\0")[:-1]

    def is_closing(self) -> bool:
        return False


@pytest.fixture
def piped():
    """A switchboard between two pipes."""
    board = Piped(quiet=True)
    board._playwright, board._chromium = Written(), Written()
    return board


def test_what_pages_log_and_throw_reaches_nobody(piped: Piped):
    navigated = (
        b'{"method":"Page.frameNavigated","params":{"frame":{"url":"\\"method\\":\\"Log.entryAdded"}},"sessionId":"P"}'
    )
    response = b'{"id":7,"result":{"value":"Runtime.consoleAPICalled"},"sessionId":"P"}'
    piped.hear(PAGE, LOGGED, navigated, THROWN, response, LOGGED)
    assert piped._playwright.messages == [PAGE, navigated, response]


def test_events_that_a_line_has_no_listener_for_are_not_even_decoded(piped: Piped, monkeypatch: pytest.MonkeyPatch):
    heard: list[CdpMessage] = []
    line = piped.line("L")
    line.on("Page.titled", lambda params: None)
    monkeypatch.setattr(line, "take", heard.append)
    piped.hear(LOGGED.replace(b'"P"', b'"L"'), event("x", "L"))
    assert [message.method for message in heard] == ["Page.titled"]


def test_workers_do_not_report_what_they_log_and_pages_their_contexts_only(piped: Piped):
    enable = b'{"id":1,"method":"Runtime.enable","params":{},"sessionId":"%s"}'
    piped.hear(PAGE, WORKER)
    log = b'{"id":2,"method":"Log.enable","params":{},"sessionId":"P"}'
    piped._from_playwright([enable % b"P", enable % b"W", log])
    disabled = (enable % b"W").replace(b"enable", b"disable")
    first, *others = piped._chromium.messages
    prepared = msgspec.json.decode(first)
    assert (prepared["method"], prepared["sessionId"]) == ("Runtime.evaluate", "W")
    assert others == [enable % b"P", disabled, log.replace(b"enable", b"disable")]


def test_replies_to_our_own_calls_never_reach_playwright(piped: Piped):
    piped.hear(PAGE, WORKER)
    number = msgspec.json.decode(piped._chromium.messages[0])["id"]
    theirs = b'{"id":3,"result":{},"sessionId":"W"}'
    piped.hear(theirs.replace(b"3", str(number).encode()), theirs)
    assert piped._playwright.messages == [PAGE, WORKER, theirs]


def test_a_page_that_floods_is_ended_and_nothing_more_of_it_is_passed_on(piped: Piped):
    ends: list[str] = []
    piped.line("B").on("Target.attachedToTarget", lambda params: piped.line(params["sessionId"]))
    piped.hear(PAGE, OURS)
    piped._lines["L"].on(ENDED, lambda params: ends.append(params["why"]))
    navigated = b'{"method":"Page.frameNavigated","params":{},"sessionId":"P"}'
    piped.hear(*[navigated] * 10_000)
    passed = piped._playwright.messages.count(navigated)
    assert 1_000 < passed < 3_000
    assert ends == ["it flooded the browser with events"]
    told = [msgspec.json.decode(message) for message in piped._chromium.messages]
    assert [(one["method"], one.get("sessionId"), one["params"]) for one in told] == [
        ("Page.crash", "L", {}),
        ("Target.closeTarget", None, {"targetId": "T"}),
    ]
    gone = b'{"method":"Target.detachedFromTarget","params":{"sessionId":"P","targetId":"T"}}'
    response = b'{"id":9,"result":{},"sessionId":"P"}'
    piped.hear(navigated, response, gone)
    assert piped._playwright.messages[-2:] == [response, gone]


@given(st.lists(st.integers(1, 40), max_size=20))
def test_messages_arrive_whole_however_they_are_cut(cuts: list[int]):
    messages, sent = Messages(), 3 * (ENABLE + b"\0")
    got: list[bytes] = []
    for cut in cuts:
        got += messages.feed(sent[:cut])
        sent = sent[cut:]
    got += messages.feed(sent)
    assert got == 3 * [ENABLE]


@pytest.mark.anyio
async def test_playwright_is_told_of_a_chromium_that_ended_as_it_was_connected():
    faults: list[str] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: faults.append(context["message"]))
    (commands, playwrights_commands), (playwrights_replies, replies) = os.pipe(), os.pipe()
    (from_chromium, chromiums_replies), (chromiums_commands, to_chromium) = os.pipe(), os.pipe()
    board = Switchboard(quiet=True)
    os.close(chromiums_commands)
    os.write(playwrights_commands, b'{"id":1,"method":"Browser.getVersion"}\0')
    await board.connect(commands, replies, from_chromium, to_chromium)
    with anyio.fail_after(10):
        await anyio.to_thread.run_sync(os.read, playwrights_replies, 1, abandon_on_cancel=True)  # ends with the pipe
    assert not faults
    board.close()
    for end in (playwrights_commands, playwrights_replies, chromiums_replies):
        os.close(end)
