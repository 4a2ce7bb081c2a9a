"""SGLang: `/generate`, and its routes for weights."""

from __future__ import annotations

from typing import Any

import msgspec

from webgym.errors import PolicyRejected, PolicyUnavailable
from webgym.inference.api import ControlCall, GenerateRequest, InFlight
from webgym.inference.config import Kind
from webgym.inference.reply import Finish, ServerReply, TokenId, VersionSpan
from webgym.llm.failures import TryFailed, excerpt

_FINISHES: dict[str, Finish] = {"stop": "stop", "length": "length"}


class _RequestIds(msgspec.Struct):
    input_ids: list[TokenId]


class _FinishReason(msgspec.Struct):
    type: str = ""
    message: str | None = None


class _Meta(msgspec.Struct):
    finish_reason: _FinishReason | None = None
    output_token_logprobs: list[tuple[float | None, TokenId, Any]] | None = None
    weight_versions: list[VersionSpan] | None = None
    weight_version: str | None = None
    cached_tokens: int = 0


class _SglangBody(msgspec.Struct):
    output_ids: list[TokenId]
    meta_info: _Meta
    prompt_token_ids: list[TokenId] | None = None


class Sglang:
    """SGLang may detokenize and retokenize prompts with images, so requests ask which ids it read."""

    kind: Kind = "sglang"
    generate = "/generate"
    health = "/health"

    def encode(self, ask: GenerateRequest) -> bytes:
        sampling: dict[str, Any] = {
            "temperature": ask.choosing.temperature,
            "top_p": 1.0,
            "top_k": -1,
            "min_p": 0.0,
            "repetition_penalty": 1.0,
            "max_new_tokens": ask.choosing.max_tokens,
            "stop_token_ids": ask.choosing.stop,
        }
        body: dict[str, Any] = {
            "input_ids": ask.ids,
            "sampling_params": sampling,
            "return_logprob": True,
            "return_prompt_token_ids": True,
        }
        pictures = [url for _, url in ask.pictures]
        return msgspec.json.encode(body | {"image_data": pictures} if pictures else body)

    def sent(self, body: bytes) -> list[int]:
        return msgspec.json.decode(body, type=_RequestIds).input_ids

    def read(self, content: bytes) -> ServerReply:
        try:
            body = msgspec.json.decode(content, type=_SglangBody)
        except (ValueError, RecursionError) as error:
            raise TryFailed("garbage", f"not a reply with token ids ({error}): {excerpt(content)}") from error
        meta = body.meta_info
        reason = meta.finish_reason or _FinishReason()
        if reason.type not in _FINISHES:
            raise TryFailed("aborted", f"the server aborted the reply: {reason.type} {reason.message or ''}".strip())
        if body.prompt_token_ids is None:
            raise PolicyRejected("the server does not return the prompt's tokens: SGLang 0.5.13 or newer is needed")
        entries = meta.output_token_logprobs or []
        if [token for _, token, _ in entries] != body.output_ids:
            entries = []
        return ServerReply(
            prompt=tuple(body.prompt_token_ids),
            sampled=tuple(body.output_ids),
            logprobs=tuple(-float("inf") if logprob is None else logprob for logprob, _, _ in entries),
            spans=tuple(meta.weight_versions or ()),
            finish=_FINISHES[reason.type],
            label=meta.weight_version or "",
            cached=meta.cached_tokens,
        )

    async def check(self, call: ControlCall, folder: str) -> None:
        del call, folder  # no known problems

    async def pause(self, call: ControlCall, in_flight: InFlight) -> None:
        # Without a pause it finishes running requests before it loads weights: that is `wait`. `retract` would let
        # replies go on, but puts them back into its queue; caches are flushed only while that is empty, and its
        # scheduler crashes where they cannot be (sgl-project/sglang#33783). So replies are aborted and retried.
        if in_flight == "recompute":
            await call("POST", "/pause_generation", {"mode": "abort"})

    async def resume(self, call: ControlCall) -> None:
        await call("POST", "/continue_generation", {})

    async def load(self, call: ControlCall, folder: str, version: int) -> None:
        order = {"model_path": folder, "weight_version": str(version), "flush_cache": True, "abort_all_requests": False}
        answer = await call("POST", "/update_weights_from_disk", order)
        if not answer.get("success"):
            raise PolicyUnavailable(
                f"the weights in {folder} were not loaded: {answer.get('message', 'no reason given')}"
            )

    async def label(self, call: ControlCall, version: int) -> None:
        await call("POST", "/update_weight_version", {"new_version": str(version), "abort_all_requests": False})

    async def version(self, call: ControlCall) -> str:
        return str((await call("GET", "/get_model_info")).get("weight_version", ""))

    async def sleep(self, call: ControlCall) -> None:
        await call("POST", "/release_memory_occupation", {})

    async def wake(self, call: ControlCall) -> None:
        await call("POST", "/resume_memory_occupation", {})
