"""The prose of a reply around its tool call: thought, memory, sentence."""

from __future__ import annotations

import re
from dataclasses import dataclass

from webgym.agent.untrusted import one_line, storable, without_tags
from webgym.records.decision import Decision
from webgym.records.prompt import Completion

_LABELS = ("Memory", "Progress", "Intention", "Thought", "Action")
_LABEL = re.compile(
    rf"^[ \t]{{0,4}}[*#]{{0,4}}[ \t]?({'|'.join(_LABELS)})[*]{{0,2}}[ \t]?:[*]{{0,2}}", re.MULTILINE | re.IGNORECASE
)
_NOTHING = {"", "none", "none.", "nothing", "empty", "n/a", "{}", "[]", "-"}
_THINK, _THOUGHT = "<think>", "</think>"
_MOST_SENTENCE = 300


@dataclass(frozen=True, slots=True)
class ReplyProse:
    """The parts of a reply's prose."""

    thought: str
    memory: str
    sentence: str


def is_open(completion: Completion) -> bool:
    """Return whether the last line may be incomplete: `click 500 30`, cut off at the token limit, may have been 300."""
    return completion.finish == "length" and not completion.text.endswith("\n")


def split_thought(text: str, *, thinks: bool) -> tuple[str, str]:
    """Split a reply into thought and rest. Some servers omit the opening tag; an unclosed thought is all of it."""
    opened = text.lstrip().startswith(_THINK)
    head, closing, tail = text.partition(_THOUGHT)
    if closing and (opened or thinks or "<tool_call>" not in head):
        return head.strip().removeprefix(_THINK).strip(), tail.strip()
    if opened:
        return text.strip().removeprefix(_THINK).strip(), ""
    return "", text.strip()


def read_prose(prose: str, thoughts: tuple[str, ...] = ()) -> ReplyProse:
    """Split prose by its labels; without labels the last line is the sentence, and the lines before it the thought."""
    first, *parts = _LABEL.split(prose)
    labelled = list(zip(map(str.capitalize, parts[::2]), map(str.strip, parts[1::2]), strict=True))
    by_label = dict(labelled)
    lines = [line for line in first.strip().splitlines() if line.strip()]
    sentence = by_label.get("Action", "")
    if not sentence and lines:
        sentence = lines.pop()
    memory = by_label.get("Memory", "")
    thought = [*thoughts, "\n".join(lines), *(_with_label(*section) for section in labelled)]
    return ReplyProse(
        thought=storable("\n".join(part for part in thought if part)),
        memory="" if memory.lower() in _NOTHING else storable(memory),
        sentence=storable(one_line(sentence, _MOST_SENTENCE)),
    )


def write_prose(decision: Decision, sentence: str, *, thinks: bool) -> str:
    """Return prose that `read_prose` can read. Tags in it are broken up, so that none passes for a call."""
    thought = without_tags(decision.thought.strip())
    memory = without_tags(decision.memory.strip())
    parts = [f"Memory: {memory}"] if memory else []
    if thought and not thinks:
        parts.append(thought if _LABEL.match(thought) else f"Thought: {thought}")
    parts.append(f"Action: {one_line(decision.sentence, _MOST_SENTENCE) or sentence}")
    prose = "\n".join(parts)
    return f"{_THINK}\n{thought}\n{_THOUGHT}\n\n{prose}" if thinks else prose


def _with_label(label: str, text: str) -> str:
    match label:
        case "Memory" | "Action":
            return ""
        case "Thought":
            return text
        case _:
            return f"{label}: {text}"
