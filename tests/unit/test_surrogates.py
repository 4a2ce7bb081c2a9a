"""Half a character is read and written as a replacement character; all else stays as it is."""

from __future__ import annotations

import json
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgym.browser.server.chromium import surrogates

ANYTHING: msgspec.json.Decoder[Any] = msgspec.json.Decoder()
PAIR = "\U0001f600"

texts = st.text(st.characters(min_codepoint=0x20) | st.sampled_from('\ud83d\ude00\\u"'))
values = st.recursive(st.none() | st.booleans() | st.integers(-(2**53), 2**53) | texts, st.lists, max_leaves=10)


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"Party \ud83d", "Party \ufffd"),
        (r"\ude00 late", "\ufffd late"),
        (r"\ude00\ud83d", "\ufffd\ufffd"),
        (r"\ud83d\ud83d\ude00", f"\ufffd{PAIR}"),
        (r"\\ud83d", r"\ud83d"),
    ],
)
def test_halves_are_replaced_and_pairs_are_not(written, read):
    message = f'{{"text":"{written}"}}'
    assert surrogates.decode(ANYTHING, message) == surrogates.decode(ANYTHING, message.encode()) == {"text": read}


def test_bytes_that_are_no_text_are_replaced_too():
    assert surrogates.decode(ANYTHING, b'["\xed\xa0\xbd","\xff"]') == ["\ufffd\ufffd\ufffd", "\ufffd"]


@given(values)
def test_what_is_read_can_be_written_and_read_again(value):
    read = surrogates.decode(ANYTHING, json.dumps(value))
    assert ANYTHING.decode(surrogates.encode(read)) == read


@given(values)
def test_what_is_written_is_what_msgspec_writes_where_it_can(value):
    written = surrogates.encode(value)
    assert ANYTHING.decode(written) == json.loads(surrogates.mended(json.dumps(value, ensure_ascii=False)))


def test_what_is_no_json_or_of_another_shape_is_refused():
    with pytest.raises(msgspec.DecodeError):
        surrogates.decode(ANYTHING, r'{"text":"\ud83d"')
    with pytest.raises(msgspec.ValidationError):
        surrogates.decode(msgspec.json.Decoder(list[int]), r'["\ud83d"]')
