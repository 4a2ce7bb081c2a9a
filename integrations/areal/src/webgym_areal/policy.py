"""AReaL's inference engine as a `Policy`: exact token ids in and out, with a weight version per token."""

from __future__ import annotations

import base64
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import anyio

from webgym.engine.grids import PatchGrid
from webgym.engine.render import Renderer
from webgym.errors import PolicyError, PolicyRejected, PolicyUnavailable
from webgym.records.prompt import Completion, Message, Picture, Prompt, Text, Tokens, pack_ids, pack_logprobs
from webgym_areal.pictures import Cutter
from webgym_areal.settings import ArealSettings

_TRIES = 3
"""Tries for a reply that a weight update interrupts, where it cannot be resumed."""


class Engine(Protocol):
    """The part of `areal.api.InferenceEngine` that we use."""

    async def agenerate(self, req: Any) -> Any:
        """Return a `ModelResponse` to a `ModelRequest`."""
        ...


class MakeRequest(Protocol):
    """Makes a `ModelRequest`."""

    def __call__(self, *, rid: str, input_ids: list[int], image_data: list[str], messages: list[Any] | None) -> Any:
        """Make a request for one reply."""
        ...


@dataclass(frozen=True, slots=True)
class Manner:
    """How prompts become tokens for one checkpoint."""

    renderer: Renderer
    cutter: Cutter


class ArealPolicy:
    """Samples from the engine that AReaL serves.

    With SGLang, AReaL sends our token ids and resumes an interrupted reply from the tokens sampled so far. With vLLM it
    sends messages, which the server renders, so an interrupted reply would start over after its first half. Such a
    reply has tokens of two weight versions, and is sampled again.

    Args:
        engine: AReaL's inference engine.
        manner: Renderer and image settings of its model.
        settings: Settings of the workflow.
        request: Makes AReaL's requests.
    """

    def __init__(self, engine: Engine, manner: Manner, settings: ArealSettings, request: MakeRequest) -> None:
        self._engine = engine
        self._manner = manner
        self._settings = settings
        self._request = request
        self._again = 0

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:
        """Sample one reply, with its tokens.

        Raises:
            PolicyRejected: The prompt is too long, or a picture is not an image.
            PolicyUnavailable: There was no reply within the time limit.
        """
        began = time.monotonic()
        grids = [self._grid(pictures[picture.address]) for picture in prompt.pictures]
        ids = self._manner.renderer.ids(prompt, [self._manner.cutter.tokens(grid) for grid in grids])
        if len(ids) >= self._settings.max_tokens:
            raise PolicyRejected(f"the prompt has {len(ids)} tokens, which leaves none of max_tokens for the reply")
        encoded = [base64.b64encode(pictures[picture.address]).decode() for picture in prompt.pictures]
        said = await self._said(prompt, ids, encoded, affinity)
        return self._completion(ids, said, time.monotonic() - began)

    def asked_again(self) -> int:
        """Return the number of replies sampled again since the last call."""
        again, self._again = self._again, 0
        return again

    async def _said(self, prompt: Prompt, ids: list[int], encoded: list[str], affinity: str) -> Any:
        try:
            with anyio.fail_after(self._settings.reply_seconds):
                for _ in range(_TRIES):
                    # New messages for every try, because AReaL writes the pictures into them.
                    messages = _messages(prompt) if self._settings.server == "vllm" else None
                    request = self._request(rid=affinity, input_ids=ids, image_data=encoded, messages=messages)
                    said = await self._engine.agenerate(request)
                    if messages is None or len(set(said.output_versions)) <= 1:
                        return said
                    self._again += 1
        except TimeoutError as error:
            raise PolicyUnavailable(f"no reply in {self._settings.reply_seconds:.0f} s") from error
        except PolicyError:
            raise
        except Exception as error:  # AReaL raises whatever its HTTP client raises
            raise PolicyUnavailable(f"AReaL's engine gave no reply: {type(error).__name__}: {error}") from error
        raise PolicyUnavailable(f"weight updates interrupted the reply {_TRIES} times in a row")

    def _completion(self, ids: list[int], said: Any, seconds: float) -> Completion:
        sampled: list[int] = list(said.output_tokens)
        if not sampled:
            raise PolicyUnavailable("AReaL's engine gave an empty reply")
        if list(said.input_tokens) != ids:
            raise PolicyUnavailable("AReaL's engine used a different prompt than it was sent")
        settings = self._settings
        return Completion(
            text=self._manner.renderer.words(sampled),
            finish="length" if said.stop_reason == "length" else "stop",
            model=settings.model,
            server=f"areal-{settings.server}",
            version=said.output_versions[-1],
            prompt_tokens=len(ids),
            sampled_tokens=len(sampled),
            tokens=Tokens(
                prompt=pack_ids(ids),
                sampled=pack_ids(sampled),
                logprobs=pack_logprobs(said.output_logprobs),
                versions=pack_ids(said.output_versions),
                temperature=settings.temperature,
            ),
            seconds=seconds,
        )

    def _grid(self, data: bytes) -> PatchGrid:
        return self._manner.cutter.grid(data)


def _messages(prompt: Prompt) -> list[Any]:
    """Return messages for vLLM. AReaL fills in the pictures, in this order."""
    if prompt.tools:
        raise PolicyRejected("AReaL sends no tools to vLLM: use a dialect that writes them into the text")
    return [[{"role": one.role, "content": _content(one)} for one in prompt.messages]]


def _content(message: Message) -> list[dict[str, Any]]:
    return [_part(part) for part in message.parts]


def _part(part: Text | Picture) -> dict[str, Any]:
    match part:
        case Text(text):
            return {"type": "text", "text": text}
        case Picture():
            return {"type": "image_url"}
