"""vLLM: `/inference/v1/generate`, and the routes that `VLLM_SERVER_DEV_MODE=1` adds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from webgym.errors import PolicyRejected
from webgym.inference.api import ControlCall, GenerateRequest, InFlight
from webgym.inference.config import Kind
from webgym.inference.reply import Finish, ServerReply, TokenId, VersionSpan
from webgym.llm.failures import TryFailed, excerpt

_FINISHES: dict[str, Finish] = {"stop": "stop", "length": "length"}


class _RequestTokens(msgspec.Struct):
    token_ids: list[TokenId]


class _Entry(msgspec.Struct):
    token_id: TokenId
    logprob: float


class _VllmLogprobs(msgspec.Struct):
    content: list[_Entry] | None = None


class _VllmChoice(msgspec.Struct):
    token_ids: list[TokenId]
    finish_reason: str | None = None
    logprobs: _VllmLogprobs | None = None
    weight_versions: list[VersionSpan] | None = None


class _Details(msgspec.Struct):
    cached_tokens: int | None = None


class _VllmUsage(msgspec.Struct):
    prompt_tokens_details: _Details | None = None


class _VllmBody(msgspec.Struct):
    choices: list[_VllmChoice]
    prompt_token_ids: list[TokenId]
    usage: _VllmUsage | None = None


class Vllm:
    """vLLM's token route takes one placeholder per image and returns the expanded prompt."""

    kind: Kind = "vllm"
    generate = "/inference/v1/generate"
    health = "/health"

    def encode(self, ask: GenerateRequest) -> bytes:
        sampling: dict[str, Any] = {
            "temperature": ask.choosing.temperature,
            "top_p": 1.0,
            "top_k": 0,
            "min_p": 0.0,
            "repetition_penalty": 1.0,
            "max_tokens": ask.choosing.max_tokens,
            "stop_token_ids": ask.choosing.stop,
            "logprobs": 0,
            "detokenize": False,
        }
        parts = [{"type": "image_url", "url": url, "uuid": address} for address, url in ask.pictures]
        body: dict[str, Any] = {
            "token_ids": ask.ids,
            "sampling_params": sampling,
            "return_token_ids": True,
        }
        return msgspec.json.encode(body | {"content_parts": parts} if parts else body)

    def sent(self, body: bytes) -> list[int]:
        return msgspec.json.decode(body, type=_RequestTokens).token_ids

    def read(self, content: bytes) -> ServerReply:
        try:
            body = msgspec.json.decode(content, type=_VllmBody)
            choice = body.choices[0]
        except (ValueError, RecursionError, IndexError) as error:
            raise TryFailed("garbage", f"not a reply with token ids ({error}): {excerpt(content)}") from error
        if choice.finish_reason not in _FINISHES:
            raise TryFailed("aborted", f"the server aborted the reply: {choice.finish_reason}")
        entries = (choice.logprobs and choice.logprobs.content) or []
        if [entry.token_id for entry in entries] != choice.token_ids:
            entries = []
        details = body.usage and body.usage.prompt_tokens_details
        return ServerReply(
            prompt=tuple(body.prompt_token_ids),
            sampled=tuple(choice.token_ids),
            logprobs=tuple(entry.logprob for entry in entries),
            spans=tuple(choice.weight_versions or ()),
            finish=_FINISHES[choice.finish_reason],
            cached=(details and details.cached_tokens) or 0,
        )

    async def check(self, call: ControlCall, folder: str) -> None:
        # On a CPU a tied output layer is a packed copy of the embedding, and reloading from disk does not repack it:
        # tokens would be sampled from old weights under the label of the new ones.
        if _tied(folder) and "device_config=cpu" in str((await call("GET", "/server_info")).get("vllm_config")):
            raise PolicyRejected(
                f"vLLM on a CPU does not reload a tied output layer, which the model in {folder} has: "
                "set policy.servers.refresh = 'transfer'"
            )

    async def pause(self, call: ControlCall, in_flight: InFlight) -> None:
        # `keep` freezes requests and, with caches cleared, prefills them again on resume. Without a pause the worker
        # drops images that the scheduler believes are cached; the next request with one crashes the server.
        mode = "keep" if in_flight == "recompute" else "wait"
        await call("POST", f"/pause?mode={mode}&clear_cache=true")

    async def resume(self, call: ControlCall) -> None:
        await call("POST", "/resume")

    async def load(self, call: ControlCall, folder: str, version: int) -> None:
        await call("POST", "/collective_rpc", {"method": "reload_weights", "kwargs": {"weights_path": folder}})
        await self.label(call, version)

    async def label(self, call: ControlCall, version: int) -> None:
        await call("POST", "/update_weight_version", {"new_version": str(version)})

    async def version(self, call: ControlCall) -> str:
        return str((await call("GET", "/weight_info")).get("weight_version", ""))

    async def sleep(self, call: ControlCall) -> None:
        await call("POST", "/sleep?level=1")

    async def wake(self, call: ControlCall) -> None:
        await call("POST", "/wake_up")


class TransferringVllm(Vllm):
    """Loads new weights through the weight-transfer routes; our backend (`plugin/`) reads them from a folder."""

    async def check(self, call: ControlCall, folder: str) -> None:
        del call, folder  # our backend repacks a tied output layer

    async def load(self, call: ControlCall, folder: str, version: int) -> None:
        await call("POST", "/init_weight_transfer_engine", {"init_info": {}})
        await call("POST", "/start_weight_update")
        await call("POST", "/update_weights", {"update_info": {"folder": folder}})
        await call("POST", "/finish_weight_update", {"weight_version": str(version)})


def _tied(folder: str) -> bool:
    try:
        found: Any = msgspec.json.decode((Path(folder) / "config.json").read_bytes())
        return bool(found.get("tie_word_embeddings") or found.get("text_config", {}).get("tie_word_embeddings"))
    except (OSError, msgspec.MsgspecError, AttributeError) as error:
        raise PolicyRejected(f"{folder}/config.json cannot be read: {error}") from None
