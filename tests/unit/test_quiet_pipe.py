"""The one command that Playwright may not send."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from webgym.browser.server.chromium.quiet_pipe import Filter

ENABLE = b'{"id":1,"method":"Network.enable","sessionId":"A"}\0'
DISABLE = b'{"id":1,"method":"Network.disable","sessionId":"A"}\0'


def test_network_reports_are_turned_off_and_nothing_else_changes():
    other = b'{"id":2,"method":"Page.enable","params":{}}\0'
    assert Filter().pass_on(other + ENABLE + other) == other + DISABLE + other


def test_what_a_page_says_cannot_look_like_a_command():
    quoted = rb'{"id":3,"method":"Runtime.evaluate","params":{"expression":"\"method\":\"Network.enable\""}}' + b"\0"
    assert Filter().pass_on(quoted) == quoted


def test_reports_can_be_switched_on_for_a_while():
    commands = Filter()
    on = b'{"id":4,"method":"Browser.getVersion","params":{"webgymNetwork":"on"}}\0'
    off = on.replace(b'"on"', b'"off"')
    assert commands.pass_on(on + ENABLE) == on + ENABLE
    assert commands.pass_on(off + ENABLE) == off + DISABLE


@given(st.lists(st.integers(1, 40), max_size=20))
def test_messages_arrive_whole_however_they_are_cut(cuts: list[int]):
    commands, sent, got = Filter(), 3 * ENABLE, b""
    for cut in cuts:
        got += commands.pass_on(sent[:cut])
        sent = sent[cut:]
    got += commands.pass_on(sent)
    assert got == 3 * DISABLE
