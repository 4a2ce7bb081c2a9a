"""What gateway and node have in common as HTTP servers."""

from __future__ import annotations

import pytest
from fastapi import Request, Response
from starlette.types import Message, Scope

from webgym.browser.server import http

pytestmark = pytest.mark.anyio
SCOPE: Scope = {"type": "http", "method": "POST", "path": "/", "headers": [], "query_string": b""}


async def test_an_error_that_nobody_planned_is_answered_and_its_connection_goes_on(caplog: pytest.LogCaptureFixture):
    app = http.create_app("test", "")

    @app.post("/")
    async def fail() -> Response:  # pyright: ignore[reportUnusedFunction]
        raise ValueError("a secret")

    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await app(dict(SCOPE), receive, send)  # raised, the server would close the connection
    assert sent[0]["status"] == 500
    assert b"internal error (ValueError)" in sent[1]["body"]
    assert b"secret" not in sent[1]["body"]
    assert "failed unexpectedly" in caplog.text


async def test_a_client_that_hangs_up_in_the_middle_of_its_body_is_no_fault_of_the_server():
    app = http.create_app("test", "")

    @app.post("/")
    async def read(request: Request) -> Response:  # pyright: ignore[reportUnusedFunction]
        return Response(await http.read_body(request, 1000))

    parts: list[Message] = [{"type": "http.request", "body": b"half", "more_body": True}, {"type": "http.disconnect"}]
    sent: list[Message] = []

    async def receive() -> Message:
        return parts.pop(0)

    async def send(message: Message) -> None:
        sent.append(message)

    await app(dict(SCOPE), receive, send)  # raised, it would be logged with a traceback
    assert sent[0]["status"] == 499
