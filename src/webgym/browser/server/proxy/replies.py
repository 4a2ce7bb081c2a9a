"""The proxy's own error responses."""

from __future__ import annotations

import enum
import html
from dataclasses import dataclass

KIND_HEADER = "X-WebGym-Proxy"
REASON_HEADER = "X-WebGym-Reason"


class FailureKind(enum.StrEnum):
    """Why the proxy could not complete a request. The value is sent in `KIND_HEADER`."""

    REFUSED = "refused"
    """Refused by the egress policy."""
    DNS = "dns"
    """The name does not resolve."""
    CONNECT = "connect"
    """No connection could be made, or the server closed it without responding."""
    TIMEOUT = "timeout"
    UPSTREAM = "upstream"
    """The user's upstream proxy refused."""
    MALFORMED = "malformed"
    TOO_LARGE = "too-large"
    BUSY = "busy"


_STATUS = {
    FailureKind.REFUSED: "403 Forbidden",
    FailureKind.DNS: "502 Bad Gateway",
    FailureKind.CONNECT: "502 Bad Gateway",
    FailureKind.TIMEOUT: "504 Gateway Timeout",
    FailureKind.UPSTREAM: "502 Bad Gateway",
    FailureKind.MALFORMED: "400 Bad Request",
    FailureKind.TOO_LARGE: "431 Request Header Fields Too Large",
    FailureKind.BUSY: "503 Service Unavailable",
}


@dataclass(frozen=True, slots=True)
class ProxyFailure:
    """A failed request, with a reason for humans."""

    kind: FailureKind
    reason: str

    def render(self) -> bytes:
        """Render a complete HTTP response, after which the connection is closed."""
        status = _STATUS[self.kind]
        page = (
            f"<!doctype html><meta charset=utf-8><title>{status}</title>"
            f"<h1>{status}</h1><p>{html.escape(self.reason)}</p>\n"
        ).encode()
        reason = " ".join(self.reason.encode("ascii", "replace").decode().split())
        head = (
            f"HTTP/1.1 {status}\r\n"
            f"{KIND_HEADER}: {self.kind}\r\n"
            f"{REASON_HEADER}: {reason}\r\n"
            "Content-Type: text/html; charset=utf-8\r\n"
            f"Content-Length: {len(page)}\r\n"
            "Cache-Control: no-store\r\n"
            "Connection: close\r\n\r\n"
        )
        return head.encode("ascii") + page
