"""Parsing of chat completions from untrusted servers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Literal, cast

import msgspec

from webgym.llm.config import ModelConfig
from webgym.llm.failures import TryFailed, excerpt
from webgym.llm.ledger import Usage
from webgym.llm.sampling import sampling_of
from webgym.llm.tokens import Logprobs, MetaInfo, TokenDetails, TokenId, tokens_of
from webgym.records.prompt import Completion, ToolCall

Finish = Literal["stop", "length", "tool", "refused"]
_FINISHES: dict[str, Finish] = {
    "length": "length",
    "tool_calls": "tool",
    "function_call": "tool",
    "content_filter": "refused",
}
_MOST_VERSION = 2**31 - 1


class _Function(msgspec.Struct):
    name: str = ""
    arguments: str | dict[str, Any] | None = None


class _ChatCall(msgspec.Struct):
    function: _Function


class _TextPart(msgspec.Struct):
    text: str = ""


class _Message(msgspec.Struct):
    content: str | list[_TextPart] | None = None
    reasoning: str | None = None
    reasoning_content: str | None = None
    refusal: str | None = None
    tool_calls: list[_ChatCall] | None = None


class _ChatChoice(msgspec.Struct):
    message: _Message
    finish_reason: str | None = None
    logprobs: Logprobs | None = None
    token_ids: list[TokenId] | None = None
    prompt_token_ids: list[TokenId] | None = None
    meta_info: MetaInfo | None = None


class _CachedTokens(msgspec.Struct):
    cached_tokens: int | None = None


class _ChatUsage(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0
    prompt_tokens_details: _CachedTokens | None = None


class _ChatBody(msgspec.Struct):
    choices: list[_ChatChoice]
    model: str | None = None
    usage: _ChatUsage | None = None
    prompt_token_ids: list[TokenId] | None = None


class ChatReply(msgspec.Struct, frozen=True):
    """A parsed reply."""

    completion: Completion
    usage: Usage | None
    """None if the server did not report it."""


def read_reply(config: ModelConfig, headers: Mapping[str, str], content: bytes) -> ChatReply:
    """Parse a response as a chat completion.

    Raises:
        TryFailed: It is not a complete chat completion.
    """
    try:
        body = msgspec.json.decode(content, type=_ChatBody)
        version = version_of(config.version_from, headers, content)
    except (ValueError, RecursionError) as error:
        raise TryFailed("garbage", f"not a chat completion ({error}): {excerpt(content)}") from error
    if not body.choices:
        raise TryFailed("garbage", f"a chat completion without choices: {excerpt(content)}")
    if body.choices[0].finish_reason == "abort":
        # Aborted on the server, for new weights or a restart: a partial reply is useless.
        raise TryFailed("aborted", "the server aborted the reply")
    return ChatReply(_completion(config, version, body), _usage(body.usage))


def _completion(config: ModelConfig, version: int | None, body: _ChatBody) -> Completion:
    choice = body.choices[0]
    message = choice.message
    prompt_ids = choice.prompt_token_ids if body.prompt_token_ids is None else body.prompt_token_ids
    details = TokenDetails(prompt_ids, choice.token_ids, choice.logprobs, choice.meta_info)
    tokens = tokens_of(details, sampling_of(config), version) if config.tokens else None
    counted = body.usage or _ChatUsage()
    return Completion(
        text=_text(message),
        reasoning=message.reasoning or message.reasoning_content or "",
        calls=tuple(_call(call.function) for call in message.tool_calls or ()),
        finish=_finish(choice),
        model=body.model or config.model,
        version=version,
        prompt_tokens=max(0, counted.prompt_tokens),
        sampled_tokens=max(0, counted.completion_tokens),
        tokens=tokens,
    )


def _text(message: _Message) -> str:
    match message.content:
        case None:
            return message.refusal or ""
        case str(text):
            return text or message.refusal or ""
        case parts:
            return "".join(part.text for part in parts)


def _call(function: _Function) -> ToolCall:
    arguments = function.arguments or ""
    return ToolCall(function.name, arguments if isinstance(arguments, str) else msgspec.json.encode(arguments).decode())


def _finish(choice: _ChatChoice) -> Finish:
    if choice.message.refusal:
        return "refused"
    finish = _FINISHES.get(choice.finish_reason or "", "stop")
    return "tool" if finish == "stop" and choice.message.tool_calls else finish


def _usage(usage: _ChatUsage | None) -> Usage | None:
    if usage is None:
        return None
    cached = (usage.prompt_tokens_details and usage.prompt_tokens_details.cached_tokens) or 0
    return Usage(max(0, usage.prompt_tokens), max(0, usage.completion_tokens), max(0, cached))


def version_of(sources: tuple[str, ...], headers: Mapping[str, str], content: bytes) -> int | None:
    """Return the version of the weights: the trailing number of the first source that has one."""
    for source in sources:
        kind, _, name = source.partition(":")
        said = headers.get(name) if kind == "header" else _field(name, content)
        number = re.search(r"(?<![0-9])[0-9]{1,10}$", str(said).strip()) if said is not None else None
        if number and int(number[0]) <= _MOST_VERSION:
            return int(number[0])
    return None


def _field(path: str, content: bytes) -> str | int | None:
    first, *rest = path.split(".")
    raw = msgspec.json.decode(content, type=dict[str, msgspec.Raw]).get(first)  # does not decode the long token lists
    value: Any = None if raw is None else msgspec.json.decode(raw)
    for name in rest:
        value = cast("dict[str, Any]", value).get(name) if isinstance(value, dict) else None
    return value if isinstance(value, str | int) else None
