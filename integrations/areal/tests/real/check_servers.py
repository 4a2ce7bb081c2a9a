"""AReaL's own clients of SGLang and vLLM against a scripted server: what is sent, and what new weights do to a reply.

The servers are scripted, so nothing here says how the real ones sample.
"""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import anyio
import pytest
from areal.api.cli_args import InferenceEngineConfig
from areal.engine.sglang_remote import SGLangBackend
from areal.engine.vllm_remote import VLLMBackend
from areal.infra.remote_inf_engine import RemoteInfEngine
from integrations.areal.tests.real.playing import MODEL, picture, settings

from webgym.engine.render import read_renderer
from webgym.engine.shape import read_shape
from webgym.records.observation import address_of
from webgym.records.prompt import Completion, Message, Picture, Prompt, Text, unpack_ids
from webgym_areal.pictures import read_cutter
from webgym_areal.policy import ArealPolicy, Manner
from webgym_areal.request import request_maker

MANNER = Manner(read_renderer(Path(MODEL), read_shape(Path(MODEL)).image_token_id), read_cutter(Path(MODEL)))
SHOWN = {address_of(data): data for data in (picture("one"), picture("two"))}
PROMPT = Prompt((Message("user", (Text("Which?"), *(Picture(address, 96, 64) for address in SHOWN))),))
WHOLE = [40, 41, 42, 43, 44, 45]
"""What the model would say."""
CUT = 2
"""Tokens that it has said when new weights come."""

Answer = Callable[[str, dict[str, Any], int], dict[str, Any]]


class Scripted:
    """Answers requests, cutting the first `cuts` of them short; new weights come with every cut."""

    def __init__(self, answer: Answer, cuts: int) -> None:
        self.answer, self.cuts = answer, cuts
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def __call__(self, route: str, body: dict[str, Any]) -> dict[str, Any]:
        self.asked.append((route, body))
        return self.answer(route, body, len(self.asked) <= self.cuts)


@contextmanager
def serving(script: Scripted) -> Iterator[str]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self._say({})

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            self._say(script(self.path, body))

        def _say(self, what: dict[str, Any]) -> None:
            data = json.dumps(what).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *_arguments: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def sglang(_route: str, body: dict[str, Any], cut: int) -> dict[str, Any]:
    """Goes on behind whatever ids it is given."""
    said = [token for token in body["input_ids"] if token in WHOLE]
    left = WHOLE[len(said) :][:CUT] if cut else WHOLE[len(said) :]
    reason = {"type": "abort", "message": ""} if cut else {"type": "stop"}
    return {"meta_info": {"finish_reason": reason, "output_token_logprobs": [[-0.5, token, None] for token in left]}}


def vllm(_route: str, _body: dict[str, Any], cut: int) -> dict[str, Any]:
    """Begins anew with every request: messages hold nothing of what was said."""
    said = WHOLE[:CUT] if cut else WHOLE
    content = [{"token": f"token_id:{token}", "logprob": -0.5} for token in said]
    return {"choices": [{"finish_reason": "abort" if cut else "stop", "logprobs": {"content": content}}]}


@contextmanager
def connected(backend: Any, script: Scripted) -> Iterator[RemoteInfEngine]:
    with serving(script) as address:
        engine = RemoteInfEngine(InferenceEngineConfig(backend="sglang:d1", setup_timeout=30.0), backend)
        engine.initialize(addr=address)
        answer = script.answer

        def renewing(route: str, body: dict[str, Any], cut: int) -> dict[str, Any]:
            reply = answer(route, body, cut)
            if cut:
                # After this reply was read, before the next is asked for: as between pause and resume.
                threading.Timer(0.3, lambda: engine.set_version(engine.get_version() + 1)).start()
                engine.workflow_executor.pause()
                threading.Timer(0.6, engine.workflow_executor.resume).start()
            return reply

        script.answer = renewing
        try:
            yield engine
        finally:
            engine.destroy()


def asked(engine: RemoteInfEngine, server: str) -> tuple[Completion, ArealPolicy]:
    wanted = settings(server=server)
    policy = ArealPolicy(engine, MANNER, wanted, request_maker(wanted))

    async def ask() -> Completion:
        with anyio.fail_after(60):
            return await policy.sample(PROMPT, SHOWN, affinity="g/0")

    return anyio.run(ask), policy


def sampled(completion: Completion) -> tuple[list[int], list[int]]:
    assert completion.tokens is not None
    return list(unpack_ids(completion.tokens.sampled)), list(unpack_ids(completion.tokens.versions))


def check_sglang_is_sent_our_own_ids_and_the_pictures_as_they_were_taken():
    script = Scripted(sglang, cuts=0)
    with connected(SGLangBackend(), script) as engine:
        said, _ = asked(engine, "sglang")
    [(route, body)] = script.asked
    assert route == "/generate"
    assert said.tokens is not None
    assert body["input_ids"] == list(unpack_ids(said.tokens.prompt))
    assert [base64.b64decode(one) for one in body["image_data"]] == list(SHOWN.values())
    assert (body["sampling_params"]["temperature"], body["sampling_params"]["top_p"]) == (1.0, 1.0)
    assert sampled(said) == (WHOLE, [0] * len(WHOLE))


def check_sglang_goes_on_after_new_weights_and_each_token_has_its_version():
    script = Scripted(sglang, cuts=1)
    with connected(SGLangBackend(), script) as engine:
        said, policy = asked(engine, "sglang")
    first, second = (body for _, body in script.asked)
    assert second["input_ids"] == [*first["input_ids"], *WHOLE[:CUT]]
    assert sampled(said) == (WHOLE, [0] * CUT + [1] * (len(WHOLE) - CUT))
    assert policy.asked_again() == 0


def check_trap_6_all_pictures_are_sent_again_after_every_pause():
    script = Scripted(sglang, cuts=2)
    with connected(SGLangBackend(), script) as engine:
        asked(engine, "sglang")
    assert [len(body["image_data"]) for _, body in script.asked] == [2, 2, 2]


def check_vllm_is_sent_messages_and_not_our_ids():
    script = Scripted(vllm, cuts=0)
    with connected(VLLMBackend(), script) as engine:
        said, _ = asked(engine, "vllm")
    [(route, body)] = script.asked
    assert route == "/v1/chat/completions"
    assert "prompt" not in body
    shown = [part["image_url"]["url"] for part in body["messages"][0]["content"] if part["type"] == "image_url"]
    assert [base64.b64decode(one.partition(",")[2]) for one in shown] == list(SHOWN.values())
    assert all(one.startswith("data:image/png") for one in shown)
    assert sampled(said) == (WHOLE, [0] * len(WHOLE))


def check_trap_7_with_vllm_a_reply_cut_in_two_begins_anew_behind_its_first_half_and_we_ask_again():
    script = Scripted(vllm, cuts=1)
    wanted = settings(server="vllm")
    with connected(VLLMBackend(), script) as engine:
        messages = [[{"role": "user", "content": [{"type": "text", "text": "Which?"}]}]]
        request = request_maker(wanted)(rid="g/0", input_ids=[1, 2], image_data=[], messages=messages)
        raw = anyio.run(engine.agenerate, request)
        assert raw.output_tokens == WHOLE[:CUT] + WHOLE

    script = Scripted(vllm, cuts=1)
    with connected(VLLMBackend(), script) as engine:
        said, policy = asked(engine, "vllm")
    assert sampled(said) == (WHOLE, [1] * len(WHOLE))
    assert policy.asked_again() == 1
    assert len(script.asked) == 3


def check_a_prompt_without_room_never_reaches_areal_which_would_raise_something_without_a_name():
    script = Scripted(sglang, cuts=0)
    wanted = settings(max_tokens=8)
    with connected(SGLangBackend(), script) as engine:
        request = request_maker(wanted)(rid="g/0", input_ids=[1] * 8, image_data=[], messages=None)
        with pytest.raises(RuntimeError, match="non-positive"):
            anyio.run(engine.agenerate, request)
    assert script.asked == []
