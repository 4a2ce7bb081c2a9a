"""Loading of prompt files."""

from __future__ import annotations

import functools
from importlib.resources import files

from webgym.records.prompt import Message, Prompt, Text

VERSION = "1"


@functools.cache
def text(name: str) -> str:
    """Return a prompt by its name, such as `verdict`."""
    return (files("webgym.judge.prompts") / f"{name}-{VERSION}.md").read_text("utf-8").strip()


def complained(prompt: Prompt, reply: str, reason: str) -> Prompt:
    """Extend the conversation by an unusable reply and the reason why. The prefix stays unchanged."""
    said = Message("assistant", (Text(reply or "(nothing)"),))  # servers reject empty messages
    told = Message("user", (Text(text("again").replace("<<REASON>>", reason)),))
    return Prompt((*prompt.messages, said, told), version=prompt.version)
