"""A scripted policy server: it speaks the OpenAI API over real HTTP, needs no model, and can inject faults.

    async with serving_policy("click the button") as server:
        config = ModelConfig(servers=(server.url,), model="scripted")
        server.fail(Stall(), times=2)

As a separate process: `python -m webgym.testing.policy_server --reply TEXT`, which prints its URL. `PUT /fault` with
`{"fault": {"kind": "stall"}, "times": 2}` injects a fault, and `DELETE /fault` removes it.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
from collections import deque
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager, suppress

import anyio
import msgspec
from aiohttp import web

from webgym.serving.parent_death import die_with_parent
from webgym.testing.policy_faults import Fault, fail
from webgym.testing.policy_replies import PolicyRequest, Say, completion_body

Script = str | Sequence[str | Say] | Callable[[PolicyRequest], str | Say]
"""One reply for all requests, replies in rotation, or a function of the request."""
_BODY_BYTES = 256 * 2**20


class _FaultOrder(msgspec.Struct):
    fault: Fault
    times: int | None = None


class PolicyServer:
    """The server's script and injected fault; both may be changed while it runs."""

    def __init__(self, script: Script, *, seed: int = 0, keep: int = 64) -> None:
        self.script = script
        self.url = ""
        self.version: int | None = None
        """Version of the policy, reported in a header and, with SGLang's fields, in the body."""
        self.asks: deque[PolicyRequest] = deque(maxlen=keep)
        """The latest requests, including those that got a fault."""
        self.count = 0
        """Number of requests so far."""
        self.replies = 0
        self.probes = 0
        self.in_flight = self.peak = 0
        self._seed = seed
        self._fault: Fault | None = None
        self._times: int | None = None

    def fail(self, fault: Fault, times: int | None = None) -> None:
        """Respond with this fault from now on, or only `times` times if given."""
        self._fault, self._times = fault, times

    def mend(self) -> None:
        """Remove the fault."""
        self._fault = None

    def app(self) -> web.Application:
        """Create the application."""
        app = web.Application(client_max_size=_BODY_BYTES)
        app.router.add_post("/v1/chat/completions", self._chat)
        app.router.add_get("/v1/models", self._models)
        app.router.add_put("/fault", self._put_fault)
        app.router.add_delete("/fault", self._delete_fault)
        return app

    async def _chat(self, request: web.Request) -> web.StreamResponse:
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            return await self._answer(request)
        finally:
            self.in_flight -= 1

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        content = await request.read()
        seed = f"{self._seed}:{hashlib.sha256(content).hexdigest()}"
        ask = PolicyRequest(msgspec.json.decode(content), dict(request.headers), seed)
        self.asks.append(ask)
        self.count += 1
        good = msgspec.json.encode(completion_body(ask, self._say(ask), self.version))
        if (fault := self._next_fault()) is not None:
            return await fail(fault, request, good)
        self.replies += 1
        headers = {} if self.version is None else {"X-Policy-Version": str(self.version)}
        return web.Response(body=good, content_type="application/json", headers=headers)

    def _say(self, ask: PolicyRequest) -> Say:
        match self.script:
            case str(text):
                said: str | Say = text
            case Sequence() as replies:
                said = replies[self.replies % len(replies)]
            case script:
                said = script(ask)
        return said if isinstance(said, Say) else Say(said)

    def _next_fault(self) -> Fault | None:
        fault = self._fault
        if fault is not None and self._times is not None:
            self._times -= 1
            if self._times <= 0:
                self._fault = None
        return fault

    async def _models(self, _: web.Request) -> web.StreamResponse:
        self.probes += 1
        return web.json_response({"object": "list", "data": [{"id": "scripted", "object": "model"}]})

    async def _put_fault(self, request: web.Request) -> web.StreamResponse:
        order = msgspec.json.decode(await request.read(), type=_FaultOrder)
        self.fail(order.fault, order.times)
        return web.Response(status=204)

    async def _delete_fault(self, _: web.Request) -> web.StreamResponse:
        self.mend()
        return web.Response(status=204)


@asynccontextmanager
async def serving_policy(
    script: Script, *, seed: int = 0, keep: int = 64, port: int = 0
) -> AsyncGenerator[PolicyServer]:
    """Run a server on the loopback interface for the duration of the block; port 0 is any free port."""
    server = PolicyServer(script, seed=seed, keep=keep)
    runner = web.AppRunner(server.app(), access_log=None, handler_cancellation=True, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        server.url = f"http://127.0.0.1:{runner.addresses[0][1]}/v1"
        yield server
    finally:
        with anyio.CancelScope(shield=True):
            await runner.cleanup()


async def _serve(replies: Sequence[str], seed: int, port: int) -> None:
    async with serving_policy(replies, seed=seed, port=port) as server:
        sys.stdout.write(f"{server.url}\n")
        sys.stdout.flush()
        await anyio.sleep_forever()


def main() -> None:
    """Run the server until it is terminated or its parent process exits."""
    parser = argparse.ArgumentParser(prog="python -m webgym.testing.policy_server", description=main.__doc__)
    parser.add_argument("--reply", action="append", help="said in turn; may be given several times")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--port", type=int, default=0)
    chosen = parser.parse_args()
    die_with_parent()
    with suppress(KeyboardInterrupt):
        anyio.run(_serve, chosen.reply or ["hello"], chosen.seed, chosen.port)


if __name__ == "__main__":
    main()
