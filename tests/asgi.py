"""Requests to an ASGI application without a server."""

from __future__ import annotations

from starlette.types import ASGIApp, Message


async def asked(
    app: ASGIApp, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None
) -> tuple[int, bytes]:
    """Return status and body of the response."""
    sent: list[Message] = []
    parts: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]
    raw = [(name.lower().encode(), value.encode("latin-1")) for name, value in (headers or {}).items()]
    scope = {"type": "http", "method": method, "path": path, "raw_path": path.encode(), "query_string": b""}

    async def receive() -> Message:
        return parts.pop(0) if parts else {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        sent.append(message)

    await app({**scope, "headers": raw, "http_version": "1.1", "scheme": "http", "root_path": ""}, receive, send)
    return sent[0]["status"], b"".join(message.get("body", b"") for message in sent[1:])
