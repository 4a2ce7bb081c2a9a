"""Prompts and replies of realistic size, without a model."""

from __future__ import annotations

from collections.abc import Iterable

from webgym.records.observation import Capture, Viewport
from webgym.records.prompt import Completion, Message, Picture, Prompt, Text, Tokens, pack_ids, pack_logprobs

_INSTRUCTIONS = "You see a web page and choose what to do next. Say what you saw and what you expect. " * 40
_LINE = "Step {}: followed the link in the middle of the page, which led to the next page. "
_REPLY = "The page shows a list of products and one link. I follow the link and expect another page. " * 6
_PICTURE_TOKENS = 1000
"""About the tokens of a 1280 by 768 screenshot in models that merge 32 by 32 pixels into one token."""
_TEXT_TOKENS = 1200
_REPLY_TOKENS = 150
_IDS = pack_ids(range(20_000))
_LOGPROBS = pack_logprobs([-0.5] * _REPLY_TOKENS)


def prompt_and_reply(step: int, window: Iterable[Capture]) -> tuple[Prompt, Completion]:
    """Return the prompt that a model would see at this step, and its reply."""
    viewport = Viewport()
    shown = [capture.observation.screenshot for capture in window]
    pictures = tuple(Picture(shot.address, viewport.width, viewport.height) for shot in shown if shot)
    history = "".join(_LINE.format(number) for number in range(1, step))
    messages = (
        Message("system", (Text(_INSTRUCTIONS),)),
        Message("user", (Text(history),)),
        *(Message("user", (picture,)) for picture in pictures),
    )
    asked = _TEXT_TOKENS + 20 * step + _PICTURE_TOKENS * len(pictures)
    # Slices of shared arrays: as cheap as tokens received over the wire.
    tokens = Tokens(prompt=_IDS[-4 * asked :], sampled=_IDS[: 4 * _REPLY_TOKENS], logprobs=_LOGPROBS)
    reply = Completion(_REPLY, prompt_tokens=asked, sampled_tokens=_REPLY_TOKENS, tokens=tokens)
    return Prompt(messages, dialect="bench", version="1"), reply
