"""The prompts of the rubric judge, ordered so that requests share the longest possible prefix.

Instructions are the same for all attempts, the task and its facts for all attempts at it, so that servers with prefix
caching compute them once. The question comes last.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from webgym.judge.evidence import MOST_ANSWER, Evidence, EvidencePage
from webgym.judge.pictures import LoadedPicture
from webgym.judge.prompt_files import VERSION, text
from webgym.judge.replies import REPLIES, Kind
from webgym.llm.structured import Structured, schema_of
from webgym.llm.untrusted import data_line
from webgym.records.prompt import Message, Part, Prompt, Text

_MOST_WORDS = 600
"""Maximum characters of a URL, a title or typed text."""
_MOST_RUBRIC = 4000


def judge_prompt(
    evidence: Evidence, shown: Sequence[tuple[int, LoadedPicture]], kind: Kind, structured: Structured = "schema"
) -> Prompt:
    """Build the prompt about these screenshots, each with its number."""
    parts: list[Part] = [Text(_task(evidence))]
    for number, picture in shown:
        parts += [Text(_screenshot(number, evidence.seen[number - 1])), picture.picture]
    parts.append(Text(_rest(evidence, kind, structured)))
    system = Message("system", (Text(text("system")),))
    return Prompt((system, Message("user", tuple(parts))), version=f"{kind}-{VERSION}")


def _task(evidence: Evidence) -> str:
    task = evidence.task
    facts = [
        {"id": f"{group.id}.{index + 1}", "group": group.description, "fact": fact}
        for group in task.rubric
        for index, fact in enumerate(group.facts)
    ]
    told = {"instruction": task.instruction, "website": task.website}
    return f"{_block('TASK', told, _MOST_RUBRIC)}\n{_block('FACTS', facts, _MOST_RUBRIC)}"


def _screenshot(number: int, seen: EvidencePage) -> str:
    told: dict[str, Any] = {"steps": seen.shot.steps, "url": seen.url, "title": seen.title}
    if seen.elsewhere:
        told["elsewhere"] = True
    return f"\n{_block(f'SCREENSHOT {number}', told, _MOST_WORDS)}\n"


def _rest(evidence: Evidence, kind: Kind, structured: Structured) -> str:
    blocks = [_block("ACTIONS", evidence.actions, _MOST_WORDS)]
    if kind != "blocked":
        blocks.append(_block("ANSWER", evidence.answer, 2 * MOST_ANSWER))
        if kind != "relevance" and evidence.task.reference:
            blocks.append(_block("REFERENCE", evidence.task.reference, _MOST_RUBRIC))
    question = text(kind)
    if structured != "schema":
        question += f"\n\nThe form, as a JSON schema: {msgspec.json.encode(schema_of(REPLIES[kind])).decode()}"
    return "\n" + "\n".join(blocks) + f"\nQUESTION\n{question}"


def _block(label: str, value: Any, most: int) -> str:
    return f"{label}\n{data_line(value, most)}"
