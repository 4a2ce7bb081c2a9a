"""Requests to and responses of the scripted policy server, in the formats of the OpenAI API, vLLM and SGLang."""

from __future__ import annotations

import base64
import random
from typing import Any

from webgym.records.base import Record
from webgym.records.prompt import ToolCall

PICTURE_ID = 300
PICTURE_TOKENS = 4
END_ID = 256
"""Text is tokenised into bytes; a picture is four tokens, and every reply ends with an end token."""


class PolicyRequest(Record, frozen=True):
    """A request as received."""

    body: dict[str, Any]
    headers: dict[str, str]
    seed: str
    """Derived from the server's seed and the body, so that equal requests get equal randomness in any order."""

    @property
    def text(self) -> str:
        """All text of the messages."""
        return "\n".join(part["text"] for part in self.parts if part["type"] == "text")

    @property
    def pictures(self) -> list[bytes]:
        """The bytes of all pictures."""
        urls: list[str] = [part["image_url"]["url"] for part in self.parts if part["type"] == "image_url"]
        return [base64.b64decode(url.partition(",")[2]) for url in urls]

    @property
    def parts(self) -> list[dict[str, Any]]:
        """Text and image parts of all messages, in order."""
        contents = [message["content"] for message in self.body["messages"]]
        as_parts = (
            [{"type": "text", "text": content}] if isinstance(content, str) else content for content in contents
        )
        return [part for parts in as_parts for part in parts]

    def chance(self) -> random.Random:
        """Return a random generator seeded for this request."""
        return random.Random(self.seed)  # noqa: S311 - not a secret


class Say(Record, frozen=True):
    """A scripted reply."""

    text: str = ""
    reasoning: str = ""
    calls: tuple[ToolCall, ...] = ()
    finish: str = "stop"


def completion_body(ask: PolicyRequest, say: Say, version: int | None) -> dict[str, Any]:
    """Build a chat completion, with token ids and logprobs in the fields that the request asks for."""
    prompt_ids = [token for part in ask.parts for token in _part_ids(part)]
    sampled_ids = [*say.text.encode(), END_ID]
    choice: dict[str, Any] = {"index": 0, "message": _message(say), "finish_reason": say.finish}
    body: dict[str, Any] = {
        "id": f"chatcmpl-{ask.chance().getrandbits(32):08x}",
        "object": "chat.completion",
        "model": ask.body["model"],
        "choices": [choice],
        "usage": {
            "prompt_tokens": len(prompt_ids),
            "completion_tokens": len(sampled_ids),
            "total_tokens": len(prompt_ids) + len(sampled_ids),
        },
    }
    chance = ask.chance()
    logprobs = [-chance.expovariate(2.0) for _ in sampled_ids]
    if ask.body.get("logprobs"):
        pairs = zip(sampled_ids, logprobs, strict=True)
        choice["logprobs"] = {"content": [{"token": chr(i), "logprob": p, "top_logprobs": []} for i, p in pairs]}
    if ask.body.get("return_token_ids"):  # vLLM
        body["prompt_token_ids"] = prompt_ids
        choice["token_ids"] = sampled_ids
    if ask.body.get("return_prompt_token_ids"):  # SGLang, here and below
        choice["prompt_token_ids"] = prompt_ids
    if ask.body.get("return_meta_info"):
        triples = [[p, i, None] for i, p in zip(sampled_ids, logprobs, strict=True)]
        choice["meta_info"] = {"output_token_logprobs": triples}
        body["metadata"] = {"weight_version": "default" if version is None else str(version)}
    return body


def _part_ids(part: dict[str, Any]) -> list[int]:
    return [PICTURE_ID] * PICTURE_TOKENS if part["type"] == "image_url" else list(part["text"].encode())


def _message(say: Say) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": say.text}
    if say.reasoning:
        message["reasoning_content"] = say.reasoning
    if say.calls:
        message["tool_calls"] = [
            {"id": f"call_{i}", "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for i, call in enumerate(say.calls)
        ]
    return message
