"""Framing of request bodies: where a body ends. The bytes themselves are relayed unchanged. No I/O."""

from __future__ import annotations

import enum
import re

from webgym.errors import RequestError

_SIZE_LINE = re.compile(rb"([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\x00-\x08\x0a-\x1f\x7f]*)?\r\n")
_LINE_LIMIT = 4096


class LengthBody:
    """A body with a Content-Length."""

    __slots__ = ("_left",)

    def __init__(self, length: int) -> None:
        self._left = length

    @property
    def done(self) -> bool:
        return self._left == 0

    def consume(self, data: bytes) -> int:
        """Return how many of these bytes belong to the body."""
        taken = min(self._left, len(data))
        self._left -= taken
        return taken


class _Expect(enum.Enum):
    SIZE = enum.auto()
    DATA_END = enum.auto()
    BODY_END = enum.auto()


class ChunkedBody:
    """A chunked body. Trailers are refused: they could smuggle in header fields that are filtered from the head."""

    __slots__ = ("_expect", "_left", "_line", "done")

    def __init__(self) -> None:
        self.done = False
        self._expect = _Expect.SIZE
        self._left = 0
        self._line = b""

    def consume(self, data: bytes) -> int:
        """Return how many of these bytes belong to the body.

        Raises:
            RequestError: The chunked framing is malformed.
        """
        position = 0
        while position < len(data) and not self.done:
            if self._left:
                taken = min(self._left, len(data) - position)
                self._left -= taken
                position += taken
            else:
                position = self._consume_line(data, position)
        return position

    def _consume_line(self, data: bytes, start: int) -> int:
        end = data.find(b"\n", start) + 1 or len(data)
        self._line += data[start:end]
        if len(self._line) > _LINE_LIMIT:
            raise RequestError("a chunk's size line is too long")
        if self._line.endswith(b"\n"):
            line, self._line = self._line, b""
            self._end_line(line)
        return end

    def _end_line(self, line: bytes) -> None:
        match self._expect:
            case _Expect.SIZE:
                size = _SIZE_LINE.fullmatch(line)
                if size is None:
                    raise RequestError("malformed chunk size")
                self._left = int(size[1], 16)
                self._expect = _Expect.DATA_END if self._left else _Expect.BODY_END
            case _Expect.DATA_END | _Expect.BODY_END if line != b"\r\n":
                raise RequestError("a chunk is longer than it says, or a trailer follows")
            case _Expect.DATA_END:
                self._expect = _Expect.SIZE
            case _Expect.BODY_END:
                self.done = True


Body = LengthBody | ChunkedBody


def body_of(length: int | None) -> Body:
    """Return a tracker for a body of this length; None: chunked."""
    return ChunkedBody() if length is None else LengthBody(length)
