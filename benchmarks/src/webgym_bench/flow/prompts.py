"""Prompts and replies of realistic size for a simulated model."""

from __future__ import annotations

from webgym.records.observation import Capture, Viewport
from webgym.records.prompt import Message, Picture, Prompt, Text, pack_ids, pack_logprobs
from webgym_bench.flow.checkpoint import IMAGE_TOKEN, PICTURE_TOKENS

REPLY_TOKENS = 200
_INSTRUCTIONS = "You see a web page and choose what to do next. Say what you saw and what you expect. " * 40
_LINE = "Step {}: followed the link in the middle of the page, which led to the next page. "
REPLY = "The page shows a list of products and one link. I follow the link and expect another page. " * 6
_TEXT_TOKENS = 1200
_LINE_TOKENS = 20
_IDS = range(10_000)
_SAMPLED = pack_ids(_IDS[:REPLY_TOKENS])
_LOGPROBS = pack_logprobs([-0.5] * REPLY_TOKENS)
_HEAD = pack_ids(_IDS[:_TEXT_TOKENS])
_PICTURE = pack_ids([IMAGE_TOKEN] * PICTURE_TOKENS)


def prompt_for(step: int, capture: Capture) -> Prompt:
    """Build a prompt with instructions, history, the current screenshot and the URL."""
    shot = capture.observation.screenshot
    viewport = Viewport()
    pictures = (Picture(shot.address, viewport.width, viewport.height),) if shot else ()
    history = "".join(_LINE.format(number) for number in range(1, step))
    messages = (
        Message("system", (Text(_INSTRUCTIONS),)),
        Message("user", (Text(history),)),
        Message("user", (*pictures, Text(capture.observation.url))),
    )
    return Prompt(messages, dialect="bench", version="1")


def place_in(prompt: Prompt) -> str:
    """Return the URL at the end of the prompt, which identifies the attempt and the page."""
    return prompt.messages[-1].text


def tokens_of(prompt: Prompt) -> bytes:
    """Return the packed token ids of the prompt, with a run of placeholders for each picture."""
    lines = prompt.messages[1].text.count("Step ")
    history = pack_ids(_IDS[: _LINE_TOKENS * lines])
    return _HEAD + history + b"".join(_PICTURE + _HEAD[:4] for _ in prompt.pictures)


def sampled() -> tuple[bytes, bytes]:
    """Return the packed token ids and logprobs of a reply."""
    return _SAMPLED, _LOGPROBS
