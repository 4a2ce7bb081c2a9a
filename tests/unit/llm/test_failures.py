"""What servers say when they fail, in a line."""

from __future__ import annotations

import datetime as dt
import email.utils

import pytest

from webgym.errors import PolicyRejected
from webgym.llm.failures import TryFailed, excerpt, refusal, retry_after


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (b'{"error": {"message": "too long"}}', "too long"),
        (b'{"error": "too long"}', "too long"),
        (b'{"object": "error", "message": "too long"}', "too long"),
        (b'{"detail": "too long"}', "too long"),
        (b'{"detail": [{"msg": "too long"}]}', '{"detail": [{"msg": "too long"}]}'),
        (b"<p>too\n\x1b[31m long</p>", "<p>too [31m long</p>"),
        (b"\xff\xfe", "\ufffd\ufffd"),
        (b"", "(nothing)"),
    ],
)
def test_the_message_is_found_where_servers_put_it(content: bytes, line: str):
    assert excerpt(content) == line


def test_what_is_long_is_cut():
    assert len(excerpt(b"a" * 10_000)) < 310


@pytest.mark.parametrize(
    ("value", "seconds"),
    [("2", 2.0), ("0.5", 0.5), ("-1", 0.0), ("", None), ("soon", None), ("nan", None), ("inf", None)],
)
def test_the_time_to_wait_in_seconds(value: str, seconds: float | None):
    assert retry_after({"Retry-After": value}) == seconds


def test_the_time_to_wait_as_a_date():
    later = dt.datetime.now(dt.UTC) + dt.timedelta(seconds=100)
    wait = retry_after({"Retry-After": email.utils.format_datetime(later, usegmt=True)})
    assert wait is not None
    assert 50 < wait <= 100
    assert retry_after({"Retry-After": "Wed, 21 Oct 2015 07:28:00 GMT"}) == 0.0


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_statuses_after_which_another_try_may_help(status: int):
    assert isinstance(refusal(status, {}, b""), TryFailed)


@pytest.mark.parametrize("status", [301, 307, 400, 401, 402, 403, 404, 405, 413, 415, 418, 422])
def test_statuses_after_which_it_will_not(status: int):
    assert isinstance(refusal(status, {}, b""), PolicyRejected)
