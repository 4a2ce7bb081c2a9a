"""The prompts' files."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from importlib.resources import files

from webgym.records.prompt import Message, Prompt, Role, Text

_GAP = re.compile(r"<<([A-Z]+)>>")


@functools.cache
def text(name: str) -> str:
    """A prompt by its name and version, such as `enrich-1`."""
    return (files("webgym.pipeline.tasks.writing.prompts") / f"{name}.md").read_text("utf-8").strip()


def filled(name: str, values: Mapping[str, str]) -> str:
    """The prompt with `<<NAME>>` replaced. Braces are left alone: tasks and JSON are full of them."""
    return _GAP.sub(lambda gap: values[gap[1]], text(name))


def prompt_of(name: str, system: str, user: str) -> Prompt:
    """A conversation that begins."""
    return Prompt((_message("system", system), _message("user", user)), version=name)


def complained(prompt: Prompt, reply: str, reason: str) -> Prompt:
    """The conversation after a reply that could not be used, with the reason told."""
    told = filled("again-1", {"REASON": reason})
    # Empty replies are not sent back: servers refuse empty messages.
    said = _message("assistant", reply or "(nothing)")
    return Prompt((*prompt.messages, said, _message("user", told)), version=prompt.version)


def _message(role: Role, words: str) -> Message:
    return Message(role, (Text(words),))
