"""A server that speaks the OpenAI API, writes good replies, and misbehaves on purpose; it notes every reply it sells.

As a process: `python scripted.py LOG --faults`, which prints its URL. Each line of LOG is one request.
"""

from __future__ import annotations

import argparse
import asyncio
import collections
import hashlib
import json
import random
import re
import time
from pathlib import Path
from typing import Any

from aiohttp import web

_TASK = re.compile(r"---\n(.*?)\n---", re.DOTALL)
USAGE = {"prompt_tokens": 900, "completion_tokens": 100}
HTTP_FAULTS = ("busy", "broken", "stall", "drop", "garbage")
WORD_FAULTS = ("truncated", "length", "refusal", "wrong_schema", "invented", "overlap", "prose")


def good_enrichment(task: str) -> dict[str, Any]:
    """Different for each task, so that replies cannot be mixed up unseen."""
    name = hashlib.sha256(task.encode()).hexdigest()[:8]
    letters = "".join(chr(ord("a") + int(digit, 16)) for digit in name)
    return {
        "website": f"https://www.{letters}.com/",
        "domain": "Lifestyle & Leisure",
        "subdomain": "Shopping",
        "rubric": [{"description": f"what {letters} wants", "facts": [f"The answer says what {letters} is."]}],
    }


def rewritten(messages: list[dict[str, Any]]) -> str:
    """Asks for every fact that is kept, word for word."""
    kept = messages[1]["content"].partition("Facts that are kept:")[2].partition("Facts that are dropped:")[0]
    facts = [line.partition(") ")[2] for line in kept.strip().splitlines()]
    return f"See to it that {' '.join(facts)}"


class Scripted:
    """What it was asked, and what it says."""

    def __init__(self, log: Path | None = None, *, faults: float = 0.0, delay: float = 0.0, seed: int = 0) -> None:
        self.log = log.open("a", buffering=1) if log else None
        self.faults = faults
        self.delay = delay
        self.seed = seed
        self.hopeless = ""
        """Questions with these words are always refused."""
        self.stalls = True
        """Whether silence is among the faults: it costs the time that clients wait."""
        self.script: list[str] = []
        """Faults of the next requests, one after the other; an empty one is none."""
        self.asks: list[dict[str, Any]] = []
        self.sold: collections.Counter[str] = collections.Counter()
        self.in_flight = self.peak = 0
        self.url = ""
        self._seen: collections.Counter[str] = collections.Counter()
        self.gate: Path | None = None
        """As long as this file is there, nothing is answered."""
        self.arrivals: list[float] = []

    async def chat(self, request: web.Request) -> web.StreamResponse:
        self.in_flight += 1
        self.peak = max(self.peak, self.in_flight)
        try:
            return await self._answer(request)
        finally:
            self.in_flight -= 1

    async def _answer(self, request: web.Request) -> web.StreamResponse:
        content = await request.read()
        body = json.loads(content)
        if self.log is None:
            self.asks.append(body)
            self.arrivals.append(time.monotonic())
        key = hashlib.sha256(json.dumps(body["messages"]).encode()).hexdigest()
        self._seen[key] += 1
        fault = self._fault(key, body)
        if self.delay:
            await asyncio.sleep(self.delay * random.uniform(0.5, 1.5))
        while self.gate and self.gate.exists():
            await asyncio.sleep(0.02)
        match fault:
            case "busy":
                return web.json_response(
                    {"error": {"message": "slow down"}}, status=429, headers={"Retry-After": "0.3"}
                )
            case "broken":
                return web.json_response({"error": {"message": "oh"}}, status=500)
            case "stall":
                await asyncio.sleep(120)
                return web.Response(status=504)
            case "drop":
                request.transport.close()
                return web.Response()
            case "garbage":
                return web.Response(text='{"choices": [{"message": {"content": "{')
            case "bad_request":
                return web.json_response({"error": {"message": "no such field"}}, status=400)
            case _:
                return self._reply(key, body, fault)

    def _reply(self, key: str, body: dict[str, Any], fault: str) -> web.StreamResponse:
        text = json.dumps(self.words(body))
        finish, refusal = "stop", None
        match fault:
            case "truncated":
                text = text[: len(text) // 2]
            case "length":
                text, finish = text[: len(text) // 2], "length"
            case "refusal":
                text, refusal = "", "I cannot help with that."
            case "wrong_schema":
                text = json.dumps({"website": 7, "rubric": "none"})
            case "invented":
                text = text.replace("The answer says", "The answer says 4711 times")
            case "overlap":
                text = re.sub(r'"facts": \[(".*?")\]', r'"facts": [\1, \1]', text)
            case "prose":
                text = f"<think>hm</think>Here you are:\n```json\n{text}\n```"
            case _:
                pass
        self.sold[key] += 1
        if self.log:
            task = _TASK.search(body["messages"][1]["content"])[1]
            sold = {"key": key, "fault": fault, "task": task, "round": len(body["messages"]) // 2}
            self.log.write(json.dumps(sold) + "\n")
        message = {"role": "assistant", "content": text, "refusal": refusal}
        choice = {"index": 0, "message": message, "finish_reason": finish}
        return web.json_response({"model": body["model"], "choices": [choice], "usage": USAGE})

    def words(self, body: dict[str, Any]) -> dict[str, Any]:
        """A good reply."""
        if body["messages"][0]["content"].startswith("You check"):
            return {"asked_for": self.checked(body["messages"][1]["content"])}
        if '"instruction"' in body["messages"][0]["content"]:
            return {"instruction": rewritten(body["messages"])}
        return good_enrichment(_TASK.search(body["messages"][1]["content"])[1])

    def checked(self, text: str) -> list[int]:
        """An instruction asks for a fact if it has its words."""
        task = _TASK.search(text)[1]
        facts = re.findall(r"^(\d+)\. (.*)$", text.partition("Facts:")[2], re.MULTILINE)
        return [int(number) for number, fact in facts if fact in task]

    def _fault(self, key: str, body: dict[str, Any]) -> str:
        if self.hopeless and self.hopeless in body["messages"][1]["content"]:
            return "refusal"
        if self.script:
            return self.script.pop(0)
        if not self.faults or len(body["messages"]) > 2:
            return ""
        chance = random.Random(f"{self.seed}{key}{min(self._seen[key], 2)}")
        if self._seen[key] > 1 or chance.random() >= self.faults:
            return ""
        return chance.choice([*(one for one in HTTP_FAULTS if self.stalls or one != "stall"), *WORD_FAULTS])

    def app(self) -> web.Application:
        app = web.Application()
        app.router.add_post("/v1/chat/completions", self.chat)
        app.router.add_get("/v1/models", _models)
        return app


async def _models(_: web.Request) -> web.StreamResponse:
    return web.json_response({"data": []})


class Serving:
    """`async with Serving(server):` on the loopback interface."""

    def __init__(self, server: Scripted) -> None:
        self._server = server
        self._runner = web.AppRunner(server.app(), access_log=None, handler_cancellation=True, shutdown_timeout=0.1)

    async def __aenter__(self) -> Scripted:
        await self._runner.setup()
        await web.TCPSite(self._runner, "127.0.0.1", 0).start()
        self._server.url = f"http://127.0.0.1:{self._runner.addresses[0][1]}/v1"
        return self._server

    async def __aexit__(self, *_: object) -> None:
        await self._runner.cleanup()


async def _serve(log: Path, faults: float, delay: float, *, stalls: bool) -> None:
    scripted = Scripted(log, faults=faults, delay=delay)
    scripted.stalls = stalls
    scripted.gate = log.with_suffix(".gate")
    async with Serving(scripted) as server:
        print(server.url, flush=True)
        await asyncio.Event().wait()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("log", type=Path)
    parser.add_argument("--faults", type=float, default=0.0)
    parser.add_argument("--delay", type=float, default=0.0)
    parser.add_argument("--stalls", action="store_true")
    chosen = parser.parse_args()
    asyncio.run(_serve(chosen.log, chosen.faults, chosen.delay, stalls=chosen.stalls))
