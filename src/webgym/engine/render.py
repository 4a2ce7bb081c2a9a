"""Messages to token ids, in the same way for sampling and for training.

Chat template and tokenizer are the checkpoint's own; the result equals that of transformers' processor for the same
messages and images.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jinja2
import msgspec
from jinja2.ext import loopcontrols
from jinja2.sandbox import ImmutableSandboxedEnvironment

from webgym.errors import ConfigError, PolicyRejected
from webgym.records.prompt import Picture, Prompt, Text

if TYPE_CHECKING:
    from tokenizers import Tokenizer


class Renderer:
    """Chat template and tokenizer of one checkpoint."""

    def __init__(self, tokenizer: Tokenizer, template: str, image_id: int) -> None:
        self._tokenizer = tokenizer
        self._template = _environment().from_string(template)
        self._image_id = image_id

    def ids(self, prompt: Prompt, picture_tokens: Sequence[int]) -> list[int]:
        """Return the prompt's tokens, up to where the reply begins.

        Args:
            prompt: Messages.
            picture_tokens: Number of tokens of each image.

        Raises:
            PolicyRejected: Its placeholders do not match its images.
        """
        text = self.text(prompt)
        ids = self._tokenizer.encode(text, add_special_tokens=False).ids
        places = [at for at, token in enumerate(ids) if token == self._image_id]
        if len(places) != len(picture_tokens):
            # An extra one can only come from the prompt's text: it would stand for an image that nobody sent.
            raise PolicyRejected(f"the prompt has {len(places)} placeholders for {len(picture_tokens)} pictures")
        out: list[int] = []
        done = 0
        for at, tokens in zip(places, picture_tokens, strict=True):
            out += ids[done:at]
            out += [self._image_id] * tokens
            done = at + 1
        return out + ids[done:]

    def text(self, prompt: Prompt) -> str:
        """Render the prompt with the chat template, with one placeholder per image.

        Raises:
            PolicyRejected: The template refuses these messages.
        """
        messages = [
            {"role": message.role, "content": [_part(part) for part in message.parts]} for message in prompt.messages
        ]
        tools = [msgspec.json.decode(tool) for tool in prompt.tools] or None
        try:
            return self._template.render(messages=messages, tools=tools, documents=None, add_generation_prompt=True)
        except jinja2.TemplateError as error:
            raise PolicyRejected(f"the chat template refuses this prompt: {error}") from error

    def words(self, ids: Sequence[int]) -> str:
        """Decode sampled tokens to text, without special tokens."""
        return self._tokenizer.decode(list(ids), skip_special_tokens=True)


def read_renderer(folder: Path, image_id: int) -> Renderer:
    """Return the renderer of a checkpoint.

    Raises:
        ConfigError: It has no tokenizer or no chat template, or one of another model.
    """
    from tokenizers import Tokenizer  # noqa: PLC0415 - an extra that runs without a model of ours do not need

    path = folder / "tokenizer.json"
    try:
        tokenizer = Tokenizer.from_file(str(path))
    except Exception as error:  # the library raises nothing more specific
        raise ConfigError(f"{path} is missing or not a tokenizer: {error}") from error
    renderer = Renderer(tokenizer, _template(folder), image_id)
    word = tokenizer.id_to_token(image_id)
    if word is None or tokenizer.encode(word, add_special_tokens=False).ids != [image_id]:
        raise ConfigError(f"{path} does not fit config.json: token {image_id} should be the image placeholder")
    return renderer


def _template(folder: Path) -> str:
    for name in ("chat_template.jinja", "chat_template.json", "tokenizer_config.json"):
        path = folder / name
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            found = text if path.suffix == ".jinja" else msgspec.json.decode(text).get("chat_template")
            if isinstance(found, str):
                return found
    raise ConfigError(f"{folder} has no chat template")


def _part(part: Text | Picture) -> dict[str, str]:
    match part:
        case Text(text):
            return {"type": "text", "text": text}
        case Picture():
            return {"type": "image"}


def _environment() -> ImmutableSandboxedEnvironment:
    """Set up jinja as transformers does, which templates are written for."""

    def refuse(message: str) -> None:
        raise jinja2.TemplateError(message)

    def to_json(value: Any, indent: int | None = None) -> str:
        return json.dumps(value, ensure_ascii=False, indent=indent)

    def now(form: str) -> str:
        return datetime.now(UTC).strftime(form)

    made = ImmutableSandboxedEnvironment(trim_blocks=True, lstrip_blocks=True, extensions=[loopcontrols])
    made.filters["tojson"] = to_json
    offered: dict[str, Any] = {"raise_exception": refuse, "strftime_now": now}
    made.globals.update(offered)
    return made
