from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgym.browser.server.proxy.body import body_of
from webgym.browser.server.proxy.heads import looks_malformed, parse_head
from webgym.errors import RequestError


def head(*lines: str, start: str = "GET http://shop.test/a?b HTTP/1.1") -> bytes:
    return "".join(f"{line}\r\n" for line in (start, *lines, "")).encode("latin-1")


def test_a_request_is_passed_on_without_what_was_meant_for_the_proxy() -> None:
    parsed = parse_head(
        head(
            "Host: other.test",
            "Proxy-Connection: keep-alive",
            "Proxy-Authorization: Basic x",
            "Connection: keep-alive, X-Private",
            "Keep-Alive: timeout=5",
            "TE: trailers",
            "X-Private: 1",
            "Accept: */*",
            "Upgrade-Insecure-Requests: 1",
        )
    )
    assert parsed.authority == b"shop.test"
    assert parsed.render(b"shop.test") == (
        b"GET /a?b HTTP/1.1\r\nHost: shop.test\r\nAccept: */*\r\nUpgrade-Insecure-Requests: 1\r\n\r\n"
    )


@pytest.mark.parametrize("name", ["X-WebGym-State", "x-webgym-state", "X_WebGym_State", "x_webgym-STATE"])
def test_a_state_key_that_the_page_sent_goes_nowhere(name: str) -> None:
    assert b"forged" not in parse_head(head(f"{name}: forged")).render(b"shop.test")


def test_the_connection_header_cannot_hide_the_framing_from_the_next_server() -> None:
    parsed = parse_head(head("Connection: Content-Length", "Content-Length: 5"))
    assert b"Content-Length: 5" in parsed.render(b"shop.test")
    assert parsed.length == 5


def test_a_length_that_only_some_servers_would_read_is_not_passed_on() -> None:
    parsed = parse_head(head("Content_Length: 5"))
    assert parsed.length == 0
    assert parsed.render(b"h") == b"GET /a?b HTTP/1.1\r\nHost: h\r\n\r\n"


@pytest.mark.parametrize(
    ("target", "authority", "path"),
    [
        ("http://shop.test", b"shop.test", b"/"),
        ("HTTP://shop.test:81?q", b"shop.test:81", b"/?q"),
        ("http://user:pw@shop.test/x", b"user:pw@shop.test", b"/x"),
        ("http://[::1]:80/", b"[::1]:80", b"/"),
    ],
)
def test_the_url_is_split_into_authority_and_path(target: str, authority: bytes, path: bytes) -> None:
    parsed = parse_head(head(start=f"GET {target} HTTP/1.1"))
    assert (parsed.authority, parsed.path) == (authority, path)


def test_only_websockets_are_upgraded_to() -> None:
    asked = parse_head(head("Connection: Upgrade", "Upgrade: websocket"))
    assert asked.upgrade
    assert asked.render(b"h").endswith(b"Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n")
    other = parse_head(head("Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: x"))
    assert other.render(b"h") == b"GET /a?b HTTP/1.1\r\nHost: h\r\n\r\n"


def test_a_client_that_wants_to_close_tells_the_server_so() -> None:
    assert b"Connection: close" in parse_head(head("Connection: close")).render(b"h")
    assert b"Connection: close" in parse_head(head(start="GET http://h/ HTTP/1.0")).render(b"h")


@pytest.mark.parametrize(
    "block",
    [
        head("Content-Length: 1", "Content-Length: 1"),
        head("Content-Length: 1", "Transfer-Encoding: chunked"),
        head("Transfer-Encoding: chunked", "Transfer-Encoding: chunked"),
        head("Transfer-Encoding: gzip, chunked"),
        head("Transfer-Encoding: \x0bchunked"),
        head("Transfer-Encoding: chunked", start="POST http://h/ HTTP/1.0"),
        head("Content-Length: +1"),
        head("Content-Length: 1,1"),
        head("Content-Length: -1"),
        head("Content-Length:"),
        head("Content-Length : 1"),
        head("X: a", " folded"),
        head("X: a\nContent-Length: 1"),
        head("X: a\rY: b"),
        head("X: \x00"),
        head(": x"),
        head("no colon"),
        head(start="GET http://h/ HTTP/2.0"),
        head(start="GET  http://h/ HTTP/1.1"),
        head(start="GET http://h/ a HTTP/1.1"),
        head(start="GET http://h/"),
        head(start="GET / HTTP/1.1"),
        head(start="GET https://h/ HTTP/1.1"),
        head(start="GET http:///x HTTP/1.1"),
        head(start="GET ftp://h/ HTTP/1.1"),
        head(start="G{}T http://h/ HTTP/1.1"),
        head("Content-Length: 1", start="CONNECT h:443 HTTP/1.1"),
        b"GET http://h/ HTTP/1.1\n\r\n\r\n",
    ],
)
def test_a_head_that_could_be_read_in_two_ways_is_refused(block: bytes) -> None:
    with pytest.raises(RequestError):
        parse_head(block)


def test_an_unfinished_head_can_be_hopeless_already() -> None:
    assert looks_malformed(b"GET http://h/ HTTP/1.1\nHost: h\n\n")
    assert looks_malformed(b"\x16\x03\x01")
    assert not looks_malformed(b"GET http://h/ HTTP/1.1\r\nHo")


@given(st.binary(max_size=200))
def test_reading_a_head_fails_in_one_way_only(block: bytes) -> None:
    for tunnelled in (False, True):
        with contextlib.suppress(RequestError):
            parse_head(block + b"\r\n\r\n", tunnelled=tunnelled)


chunks = st.lists(st.binary(min_size=1, max_size=30), max_size=5)


@given(chunks, st.binary(max_size=20), st.lists(st.integers(1, 9), min_size=1, max_size=20))
def test_a_chunked_body_ends_where_it_ends_however_it_is_cut(parts: list[bytes], after: bytes, cuts: list[int]) -> None:
    body = b"".join(b"%x;ext=1\r\n%b\r\n" % (len(part), part) for part in parts) + b"0\r\n\r\n"
    stream, follower, taken, cut = body + after, body_of(None), 0, 0
    while taken < len(stream) and not follower.done:
        piece = stream[taken : taken + cuts[cut % len(cuts)]]
        used = follower.consume(piece)
        assert used == len(piece) or follower.done
        taken, cut = taken + used, cut + 1
    assert follower.done
    assert taken == len(body)


@pytest.mark.parametrize(
    "stream",
    [
        b"5\nhello\r\n",
        b"0x5\r\n",
        b"-1\r\n",
        b"\r\n",
        b"5 5\r\n",
        b"5\r\nhelloX\r\n",
        b"0\r\nX: y\r\n",
        b"5;" + b"x" * 5000,
    ],
)
def test_chunks_that_are_not_chunks_are_refused(stream: bytes) -> None:
    with pytest.raises(RequestError):
        body_of(None).consume(stream)
