"""Loading of prompt files."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from importlib.resources import files

from webgym.records.prompt import Message, Prompt, Role, Text

_GAP = re.compile(r"<<([A-Z]+)>>")


@functools.cache
def text(name: str) -> str:
    """Return a prompt by its name and version, such as `enrich-1`."""
    return (files("webgym.run.task_sets.writing.prompts") / f"{name}.md").read_text("utf-8").strip()


def filled(name: str, values: Mapping[str, str]) -> str:
    """Return the prompt with `<<NAME>>` replaced. Braces are left alone, as tasks and JSON contain them."""
    return _GAP.sub(lambda gap: values[gap[1]], text(name))


def prompt_of(name: str, system: str, user: str) -> Prompt:
    """Build the initial conversation."""
    return Prompt((_message("system", system), _message("user", user)), version=name)


def complained(prompt: Prompt, reply: str, reason: str) -> Prompt:
    """Extend the conversation by an unusable reply and the reason why."""
    told = filled("again-1", {"REASON": reason})
    # Servers reject empty messages.
    said = _message("assistant", reply or "(nothing)")
    return Prompt((*prompt.messages, said, _message("user", told)), version=prompt.version)


def _message(role: Role, words: str) -> Message:
    return Message(role, (Text(words),))
