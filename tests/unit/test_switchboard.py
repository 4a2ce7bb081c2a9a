"""What passes through the switchboard, and what does not."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from webgym.browser.server.chromium.switchboard import Messages, quietened, session_of

ENABLE = b'{"id":1,"method":"Network.enable","sessionId":"A"}'
DISABLE = b'{"id":1,"method":"Network.disable","sessionId":"A"}'


def test_network_reports_are_turned_off_and_nothing_else_changes():
    other = b'{"id":2,"method":"Page.enable","params":{}}'
    assert [quietened(message) for message in (other, ENABLE)] == [other, DISABLE]


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


@given(st.lists(st.integers(1, 40), max_size=20))
def test_messages_arrive_whole_however_they_are_cut(cuts: list[int]):
    messages, sent = Messages(), 3 * (ENABLE + b"\0")
    got: list[bytes] = []
    for cut in cuts:
        got += messages.feed(sent[:cut])
        sent = sent[cut:]
    got += messages.feed(sent)
    assert got == 3 * [ENABLE]
