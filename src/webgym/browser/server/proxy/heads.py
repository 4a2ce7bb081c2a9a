"""Request heads: parsed strictly, and serialised again without hop-by-hop headers. No I/O.

Heads that two servers could interpret differently are refused, which prevents request smuggling.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from webgym.errors import RequestError

STATE_HEADER = "X-WebGym-State"
"""Carries the session's state key to hermetic hosts, and to no others."""

END = b"\r\n\r\n"
_TOKEN = rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+"
_REQUEST_LINE = re.compile(rb"(%b) ([\x21-\x7e\x80-\xff]+) (HTTP/1\.[01])\Z" % _TOKEN)
# No line folding, no space before the colon, no control characters, no bare CR or LF.
_FIELDS = re.compile(rb"(?:%b:[^\x00-\x08\x0a-\x1f\x7f]*\r\n)*\r\n" % _TOKEN)
_ABSOLUTE = re.compile(rb"http://([^/?#]+)([^#]*)\Z", re.IGNORECASE)
_BARE_LF = re.compile(rb"(?<!\r)\n")
_DIGITS = re.compile(rb"[0-9]{1,18}")

_FRAMING = frozenset({b"content-length", b"transfer-encoding"})
_HOP = frozenset({b"connection", b"upgrade"})
_DROPPED = _HOP | {b"host", b"te", b"keep-alive", STATE_HEADER.lower().encode()}


@dataclass(slots=True)
class RequestHead:
    """A parsed request head, as far as a proxy needs to understand it."""

    method: bytes
    authority: bytes
    """As spelt by the browser; empty for requests inside a tunnel."""
    path: bytes
    """Empty for CONNECT."""
    version: bytes
    lines: list[bytes] = field(default_factory=list[bytes])
    """Header lines to forward unchanged."""
    length: int | None = 0
    """Length of the body; None if it is chunked."""
    upgrade: bool = False
    """Whether this is a WebSocket upgrade."""
    close: bool = False

    @property
    def is_connect(self) -> bool:
        return self.method == b"CONNECT"

    def render(self, host: bytes, *, target: bytes = b"", extra: bytes = b"") -> bytes:
        """Serialise the head for the next hop; `extra` consists of complete header lines."""
        start = b"%b %b %b\r\nHost: %b\r\n" % (self.method, target or self.path, self.version, host)
        hop = b"Connection: Upgrade\r\nUpgrade: websocket\r\n" if self.upgrade else b""
        hop = b"Connection: close\r\n" if self.close and not hop else hop
        return b"".join((start, *self.lines, extra, hop, b"\r\n"))


def looks_malformed(partial: bytes) -> bool:
    """Return whether an incomplete head can never become a valid one."""
    return _BARE_LF.search(partial) is not None or not (0x21 <= partial[0] <= 0x7E)


def parse_head(block: bytes, *, tunnelled: bool = False) -> RequestHead:
    """Parse one head, including its final empty line. `tunnelled`: expect the origin form instead of the proxy form.

    Raises:
        RequestError: It is malformed or ambiguous.
    """
    first, _, rest = block.partition(b"\r\n")
    line = _REQUEST_LINE.match(first)
    if line is None:
        raise RequestError("malformed request line")
    if _FIELDS.fullmatch(rest) is None:
        raise RequestError("malformed header line")
    method, target, version = line.groups()
    authority, path = _split_target(method, target, tunnelled=tunnelled)
    head = RequestHead(method, authority, path, version)
    _read_fields(head, rest)
    return head


def _split_target(method: bytes, target: bytes, *, tunnelled: bool) -> tuple[bytes, bytes]:
    if tunnelled:
        if not target.startswith(b"/"):
            raise RequestError("a request inside a tunnel must name a path")
        return b"", target
    if method == b"CONNECT":
        return target, b""
    absolute = _ABSOLUTE.match(target)
    if absolute is None:
        raise RequestError("a request to this proxy must name an absolute http:// URL")
    authority, path = absolute.groups()
    return authority, path if path.startswith(b"/") else b"/" + path


def _read_fields(head: RequestHead, block: bytes) -> None:
    lines = head.lines
    special: list[tuple[bytes, bytes]] = []
    for line in block.splitlines(keepends=True)[:-1]:
        name = line[: line.index(b":")].lower()
        if name in _FRAMING or name in _HOP:
            special.append((name, line[len(name) + 1 :].strip()))
        # CGI-style servers treat `_` like `-`, others do not, so lookalikes of special headers are dropped.
        if name in _DROPPED or name[:6] == b"proxy-" or (b"_" in name and _is_disguised(name)):
            continue
        lines.append(line)
    if special:
        _read_framing(head, special)
        _read_connection(head, special)
    if head.version == b"HTTP/1.0":
        head.close = True


def _is_disguised(name: bytes) -> bool:
    name = name.replace(b"_", b"-")
    return name in _DROPPED or name in _FRAMING or name.startswith(b"proxy-")


def _read_framing(head: RequestHead, special: list[tuple[bytes, bytes]]) -> None:
    lengths = [value for name, value in special if name == b"content-length"]
    codings = [value for name, value in special if name == b"transfer-encoding"]
    if len(lengths) + len(codings) > 1:
        raise RequestError("more than one Content-Length or Transfer-Encoding")
    if lengths:
        if _DIGITS.fullmatch(lengths[0]) is None:
            raise RequestError("malformed Content-Length")
        head.length = int(lengths[0])
    if codings:
        if codings[0].lower() != b"chunked" or head.version == b"HTTP/1.0":
            raise RequestError("the only supported Transfer-Encoding is chunked")
        head.length = None
    if head.is_connect and head.length != 0:
        raise RequestError("CONNECT has no body")


def _read_connection(head: RequestHead, special: list[tuple[bytes, bytes]]) -> None:
    options = {
        option.strip(b" \t").lower() for name, value in special if name == b"connection" for option in value.split(b",")
    }
    upgrades = {value.lower() for name, value in special if name == b"upgrade"}
    head.close = b"close" in options
    head.upgrade = b"upgrade" in options and upgrades == {b"websocket"} and head.length == 0
    named = options - {b"close", b"keep-alive", b"upgrade", b"content-length", b"transfer-encoding", b""}
    if named:
        head.lines[:] = [line for line in head.lines if line[: line.index(b":")].lower() not in named]
