"""Encoding of prompts as chat completion requests."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any

import msgspec

from webgym.errors import PolicyRejected
from webgym.llm.config import ModelConfig
from webgym.llm.sampling import fields_of
from webgym.records.prompt import Message, Part, Picture, Prompt, Text

_SIGNATURES = ((b"\xff\xd8\xff", "image/jpeg"), (b"\x89PNG\r\n\x1a\n", "image/png"), (b"GIF8", "image/gif"))


def encode_request(config: ModelConfig, prompt: Prompt, pictures: Mapping[str, bytes]) -> bytes:
    """Encode a request body, with the pictures' bytes unchanged.

    Raises:
        PolicyRejected: A picture's bytes are missing, or a tool is not JSON.
    """
    body: dict[str, Any] = {
        "model": config.model,
        "messages": [_message(message, pictures) for message in prompt.messages],
        **fields_of(config),
    }
    if prompt.tools:
        body["tools"] = [_tool(tool) for tool in prompt.tools]
    try:
        return msgspec.json.encode(body)
    except UnicodeEncodeError as error:
        raise PolicyRejected("the prompt holds characters that cannot be sent: lone surrogates") from error


def _message(message: Message, pictures: Mapping[str, bytes]) -> dict[str, Any]:
    # Text-only content is sent as a string: some chat templates accept nothing else.
    if all(isinstance(part, Text) for part in message.parts):
        return {"role": message.role, "content": message.text}
    return {"role": message.role, "content": [_part(part, pictures) for part in message.parts]}


def _part(part: Part, pictures: Mapping[str, bytes]) -> dict[str, Any]:
    match part:
        case Text(text):
            return {"type": "text", "text": text}
        case Picture(address):
            if address not in pictures:
                raise PolicyRejected(f"the prompt shows a picture whose bytes were not given: {address}")
            return {"type": "image_url", "image_url": {"url": data_url(pictures[address])}}


def data_url(data: bytes) -> str:
    """Return an image as a data URL."""
    return f"data:{_media_type(data)};base64,{base64.b64encode(data).decode()}"


def _media_type(data: bytes) -> str:
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    known = (media_type for signature, media_type in _SIGNATURES if data.startswith(signature))
    return next(known, "application/octet-stream")


def _tool(tool: str) -> Any:
    try:
        return msgspec.json.decode(tool)
    except msgspec.DecodeError as error:
        raise PolicyRejected(f"a tool of the prompt is not JSON: {error}") from error
