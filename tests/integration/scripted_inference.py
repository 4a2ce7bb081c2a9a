"""Servers without a model that speak the token and weight routes of SGLang and vLLM, and misbehave when told to.

Their next token follows from the version and all tokens before it, so that a refresh is seen in what they say. SGLang's
routes are tested against this alone; vLLM's also against vLLM itself (`make test-vllm`).

As a process it takes the command line of either: `python -m tests.integration.scripted_inference -m sglang… --port N`.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import zlib
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import anyio
import msgspec
from aiohttp import web

IMAGE = 7
PICTURE_TOKENS = int(os.environ.get("SCRIPTED_PICTURE_TOKENS", "4"))
END = 4
VOCABULARY = 200


def next_token(label: str, before: Sequence[int]) -> tuple[int, float]:
    """What weights of this version say next, and its logprob."""
    chance = zlib.crc32(f"{label}:{list(before)}".encode())
    return 30 + chance % (VOCABULARY - 30), -(1 + chance % 1000) / 250


def expanded(ids: Sequence[int]) -> list[int]:
    return [token for one in ids for token in ([one] * PICTURE_TOKENS if one == IMAGE else [one])]


@dataclass
class Scripted:
    """One server, and how it misbehaves."""

    kind: str
    label: str = "default"
    step_seconds: float = 0.0
    retokenises: bool = False
    """Reads prompts with pictures as other tokens than it was sent."""
    spans: bool = True
    """Whether it tells versions token by token."""
    fails_loading: int = 0
    """That many times."""
    orders: list[str] = field(default_factory=list)
    asked: list[dict] = field(default_factory=list)
    running: int = 0
    url: str = ""
    _aborts: int = 0
    _going: anyio.Event = field(default_factory=anyio.Event)
    _idle: anyio.Event = field(default_factory=anyio.Event)

    def __post_init__(self) -> None:
        self._going.set()

    def app(self) -> web.Application:
        app = web.Application(client_max_size=2**26)
        app.router.add_get("/health", self._health)
        routes = {
            "vllm": {
                "/inference/v1/generate": self._vllm_generate,
                "/pause": self._pause,
                "/resume": self._resume,
                "/collective_rpc": self._reload,
                "/init_weight_transfer_engine": self._noted,
                "/start_weight_update": self._noted,
                "/update_weights": self._transfer,
                "/finish_weight_update": self._finish,
                "/update_weight_version": self._version,
                "/sleep": self._noted,
                "/wake_up": self._noted,
            },
            "sglang": {
                "/generate": self._sglang_generate,
                "/pause_generation": self._pause,
                "/continue_generation": self._resume,
                "/update_weights_from_disk": self._from_disk,
                "/update_weight_version": self._version,
                "/release_memory_occupation": self._noted,
                "/resume_memory_occupation": self._noted,
            },
        }[self.kind]
        for path, handler in routes.items():
            app.router.add_post(path, handler)
        app.router.add_get("/weight_info" if self.kind == "vllm" else "/get_model_info", self._info)
        app.router.add_get("/server_info", self._server_info)
        return app

    async def _sample(self, ids: Sequence[int], count: int, stop: Sequence[int]) -> dict:
        """Tokens one by one; a pause stops in between and versions may change meanwhile."""
        await self._going.wait()
        self.running += 1
        aborts = self._aborts
        try:
            prompt = expanded(ids)
            if self.retokenises:
                prompt = [*prompt[:-1], 99, prompt[-1]]
            said: list[tuple[str, int, float]] = []
            while len(said) < count and self._aborts == aborts and not (said and said[-1][1] in {END, *stop}):
                await self._going.wait()
                token, logprob = next_token(self.label, [*prompt, *(token for _, token, _ in said)])
                said.append((self.label, token, logprob))
                await anyio.sleep(self.step_seconds)
            finish = "abort" if self._aborts > aborts else "length" if len(said) == count else "stop"
            return {"prompt": prompt, "said": said, "spans": _spans([label for label, _, _ in said]), "finish": finish}
        finally:
            self.running -= 1
            if not self.running:
                self._idle.set()

    async def _vllm_generate(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.asked.append(body)
        pictures = body.get("content_parts", [])
        assert len(pictures) == list(body["token_ids"]).count(IMAGE)
        sampling = body["sampling_params"]
        done = await self._sample(body["token_ids"], sampling["max_tokens"], sampling["stop_token_ids"])
        entries = [{"token_id": token, "logprob": logprob} for _, token, logprob in done["said"]]
        choice = {
            "index": 0,
            "token_ids": [token for _, token, _ in done["said"]],
            "logprobs": {"content": entries},
            "finish_reason": done["finish"],
            "weight_versions": done["spans"] if self.spans else None,
        }
        return web.json_response({"choices": [choice], "prompt_token_ids": done["prompt"]})

    async def _sglang_generate(self, request: web.Request) -> web.Response:
        body = await request.json()
        self.asked.append(body)
        assert len(body.get("image_data", [])) == list(body["input_ids"]).count(IMAGE)
        sampling = body["sampling_params"]
        done = await self._sample(body["input_ids"], sampling["max_new_tokens"], sampling["stop_token_ids"])
        meta = {
            "finish_reason": {"type": done["finish"], "length": len(done["said"])},
            "output_token_logprobs": [[logprob, token, None] for _, token, logprob in done["said"]],
            "weight_version": self.label,
            "cached_tokens": 0,
        }
        if self.spans:
            meta["weight_versions"] = done["spans"]
        ids = [token for _, token, _ in done["said"]]
        reply = {"text": "", "output_ids": ids, "meta_info": meta, "prompt_token_ids": done["prompt"]}
        return web.json_response(reply)

    async def _pause(self, request: web.Request) -> web.Response:
        mode = request.query.get("mode") or (await request.json())["mode"]
        self.orders.append(f"pause {mode}")
        self._aborts += mode == "abort"
        if mode in {"wait", "abort"}:
            await self._until_idle()
        self._going = anyio.Event()
        return web.json_response({"status": "paused"})

    async def _until_idle(self) -> None:
        while self.running:
            self._idle = anyio.Event()
            await self._idle.wait()

    async def _resume(self, request: web.Request) -> web.Response:
        self.orders.append("resume")
        self._going.set()
        return web.json_response({"status": "resumed"})

    async def _reload(self, request: web.Request) -> web.Response:
        body = await request.json()
        assert body["method"] == "reload_weights"
        return self._load(body["kwargs"]["weights_path"])

    async def _transfer(self, request: web.Request) -> web.Response:
        return self._load((await request.json())["update_info"]["folder"])

    async def _from_disk(self, request: web.Request) -> web.Response:
        body = await request.json()
        assert body["flush_cache"]
        assert not body["abort_all_requests"]
        if self._going.is_set():
            await self._until_idle()
        if self.running:
            # Its scheduler dies of this: caches are only flushed when nobody waits, and those that retract put back do.
            return web.json_response({"error": "Cache flush failed after updating weights"}, status=500)
        answer = self._load(body["model_path"])
        if answer.status != 200:
            return web.json_response({"success": False, "message": "no such weights"})
        self.label = body["weight_version"]
        return web.json_response({"success": True, "message": "loaded"})

    def _load(self, folder: str) -> web.Response:
        self.orders.append(f"load {Path(folder).name}")
        if self.fails_loading:
            self.fails_loading -= 1
            return web.json_response({"error": "no such weights"}, status=500)
        return web.json_response({"results": [None]})

    async def _finish(self, request: web.Request) -> web.Response:
        self.label = (await request.json())["weight_version"]
        self.orders.append("finish")
        return web.json_response({})

    async def _version(self, request: web.Request) -> web.Response:
        self.label = (await request.json())["new_version"]
        self.orders.append(f"label {self.label}")
        return web.json_response({"success": True})

    async def _info(self, request: web.Request) -> web.Response:
        return web.json_response({"weight_version": self.label})

    async def _server_info(self, request: web.Request) -> web.Response:
        return web.json_response({"vllm_config": "model='x', device_config=cuda"})

    async def _noted(self, request: web.Request) -> web.Response:
        self.orders.append(request.path.strip("/"))
        return web.json_response({})

    async def _health(self, request: web.Request) -> web.Response:
        return web.Response()


def _spans(labels: Sequence[str]) -> list[dict]:
    spans: list[dict] = []
    for at, label in enumerate(labels):
        if spans and spans[-1]["version"] == label:
            spans[-1]["end"] = at + 1
        else:
            spans.append({"version": label, "start": at, "end": at + 1})
    return spans


@asynccontextmanager
async def serving(server: Scripted, port: int = 0) -> AsyncGenerator[Scripted]:
    runner = web.AppRunner(server.app(), access_log=None, shutdown_timeout=0.1)
    await runner.setup()
    try:
        site = web.TCPSite(runner, "127.0.0.1", port)
        await site.start()
        server.url = f"http://127.0.0.1:{runner.addresses[0][1]}"
        yield server
    finally:
        with anyio.CancelScope(shield=True):
            await runner.cleanup()


async def _serve(kind: str, port: int) -> None:
    async with serving(Scripted(kind, step_seconds=0.002), port):
        await anyio.sleep_forever()


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("-m", dest="module")
    parser.add_argument("--port", type=int)
    chosen, rest = parser.parse_known_args()
    if chosen.module is None:  # asked for the version of what it would serve with
        print("0.32.0")
        return
    print(f"scripted {chosen.module} {msgspec.json.encode(rest).decode()}", flush=True)
    if os.environ.get("SCRIPTED_FAILS"):
        print("no such GPU", flush=True)
        sys.exit(3)
    # Like the real ones it has processes below it, which end with nobody by themselves.
    subprocess.Popen(["sleep", "987654"], start_new_session=True)
    anyio.run(_serve, "vllm" if chosen.module.startswith("vllm") else "sglang", chosen.port)


if __name__ == "__main__":
    main()
