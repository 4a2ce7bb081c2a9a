"""A fleet without browsers that speaks the real wire protocol.

`python -m webgym_bench.rollouts.fake_fleet CONDITIONS` prints the address it listens on to standard output. Responses
have realistic sizes, so that a client uses as much memory and CPU as with a real fleet of any size.
"""

from __future__ import annotations

import itertools
import socket
import sys
import uuid
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import anyio
import msgspec
import uvicorn
from starlette.types import Receive, Scope, Send

from webgym.browser import wire
from webgym.errors import RequestError, SessionUnknown, WebGymError
from webgym.records.base import Record
from webgym.serving.parent_death import die_with_parent
from webgym_bench.child import announced, child
from webgym_bench.pages.server import START_SECONDS
from webgym_bench.rollouts.conditions import Conditions
from webgym_bench.rollouts.screenshots import draw_all
from webgym_bench.rollouts.simulated import SimulatedSession
from webgym_bench.rollouts.work import Work, place_of

TTL_SECONDS = 60.0


class Counters(Record, frozen=True):
    """Counters of a fake fleet."""

    opened: int = 0
    open_now: int = 0
    open_most: int = 0
    """Most sessions open at once."""
    pictures: int = 0
    """Pictures sent."""
    picture_bytes: int = 0


class FakeFleet:
    """Gateway and node in one ASGI application."""

    def __init__(self, work: Work, url: str) -> None:
        self._work = work
        self._url = url
        self._numbers = itertools.count()
        self._sessions: dict[str, SimulatedSession] = {}
        self._done = Counters()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        body = await _body(receive)
        try:
            status, reply = 200, await self._answer(scope["method"], scope["path"], body)
        except WebGymError as error:
            status, reply = error.status, wire.error_body(error)
        data = wire.encode(reply)
        headers = [(b"content-type", wire.MSGPACK.encode()), (b"content-length", str(len(data)).encode())]
        await send({"type": "http.response.start", "status": status, "headers": headers})
        await send({"type": "http.response.body", "body": data})

    async def _answer(self, method: str, path: str, body: bytes) -> Record:
        match method, path.strip("/").split("/"):
            case "POST", ["v1", "sessions"]:
                return await self._open(wire.decode(wire.OpenRequest, body))
            case "POST", ["v1", "sessions", name, "step"]:
                return await self._step(self._session(name), wire.decode(wire.StepRequest, body))
            case "GET", ["v1", "sessions", name]:
                self._session(name)
                return wire.SessionStatus(name, "fake", self._url)
            case "DELETE", ["v1", "sessions", name]:
                self._sessions.pop(name, None)
                return wire.RenewReply()
            case "POST", ["v1", "renew"]:
                return wire.RenewReply()
            case "GET", ["counters"]:
                return msgspec.structs.replace(self._done, open_now=len(self._sessions))
            case _:
                raise RequestError(f"no such route: {method} {path}")

    async def _open(self, order: wire.OpenRequest) -> wire.Lease:
        attempt, _ = place_of(order.spec.start_url)
        session = SimulatedSession(self._work, attempt, self._numbers)
        await session.load()
        name = uuid.uuid4().hex
        self._sessions[name] = session
        most = max(self._done.open_most, len(self._sessions))
        self._done = msgspec.structs.replace(self._done, opened=self._done.opened + 1, open_most=most)
        return wire.Lease(name, 1, self._url, order.ttl_seconds or TTL_SECONDS)

    async def _step(self, session: SimulatedSession, request: wire.StepRequest) -> Record:
        capture = await session.step(request.action, request.look)
        self._done = msgspec.structs.replace(
            self._done,
            pictures=self._done.pictures + len(capture.blobs),
            picture_bytes=self._done.picture_bytes + sum(map(len, capture.blobs.values())),
        )
        return capture

    def _session(self, name: str) -> SimulatedSession:
        try:
            return self._sessions[name]
        except KeyError:
            raise SessionUnknown(f"no session {name[:8]}") from None


async def _body(receive: Receive) -> bytes:
    body, more = b"", True
    while more:
        message = await receive()
        body += message.get("body", b"")
        more = message.get("more_body", False)
    return body


@asynccontextmanager
async def fake_fleet(conditions: Conditions) -> AsyncGenerator[str]:
    """Run a fake fleet for the duration of the block. Yield its URL."""
    command = [sys.executable, "-m", __name__, msgspec.json.encode(conditions).decode()]
    async with child(command) as process:
        yield f"http://{await announced(process, START_SECONDS)}"


def main() -> None:
    """Serve until terminated."""
    conditions = msgspec.json.decode(sys.argv[1], type=Conditions)
    die_with_parent()
    draw_all()
    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    address = "{}:{}".format(*listener.getsockname())
    app = FakeFleet(Work(conditions), f"http://{address}")
    config = uvicorn.Config(app, log_level="warning", lifespan="off", http="httptools", timeout_keep_alive=75)
    sys.stdout.write(f"{address}\n")
    sys.stdout.flush()
    anyio.run(uvicorn.Server(config).serve, [listener], backend_options={"use_uvloop": True})


if __name__ == "__main__":
    main()
