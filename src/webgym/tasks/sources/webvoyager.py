"""WebVoyager and its format: `web_name`, `id`, `ques`, `web`, with reference answers in a separate file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from webgym.errors import TaskSetError
from webgym.records.task_row import Provenance, TaskRow
from webgym.tasks.sources.source import Entry, EntryReader, Source, as_answer, located, made, need, simple

ANSWERS = "reference_answer.json"
_OURS = ("ques", "id", "web", "Final answer")
_GOLDEN = "golden"
"""Answers of this type are the only correct ones. Others are examples, and not binding."""


class _ReferenceAnswer(msgspec.Struct):
    id: int
    type: str = ""
    ans: str = ""


class _Site(msgspec.Struct):
    answers: list[_ReferenceAnswer] = []
    notice: str = ""


def read_entry(entry: Entry, origin: Provenance) -> TaskRow:
    """Read a task whose answer, if any, is in the entry itself."""
    return made(
        entry,
        origin,
        need(entry, "ques"),
        source_id=entry.get("id"),
        drop=_OURS,
        answer=as_answer(entry.get("Final answer")),
        **located(entry.get("web"), entry.get("web_name")),
    )


def _reader(path: Path) -> EntryReader:
    answers = _answers(path.with_name(ANSWERS))

    def read(entry: Entry, origin: Provenance) -> TaskRow:
        more: dict[str, Any] = answers.get(str(entry.get("id")), {})
        return read_entry({**entry, **more}, origin)

    return read


def _answers(path: Path) -> dict[str, dict[str, str]]:
    """Read reference answers, keyed by task id: the site's name and a number."""
    if not path.exists():
        return {}
    try:
        told = msgspec.json.decode(path.read_bytes(), type=dict[str, _Site])
    except msgspec.DecodeError as error:
        raise TaskSetError(f"{path} cannot be read: {error}") from error
    return {
        f"{name}--{answer.id}": {
            "Final answer" if answer.type == _GOLDEN else "possible_answer": answer.ans,
            "answer_type": answer.type,
            "answer_notice": site.notice.strip(),
        }
        for name, site in told.items()
        for answer in site.answers
    }


WEBVOYAGER = Source(
    "webvoyager",
    "WebVoyager",
    "Apache-2.0",
    f"MinorJerry/WebVoyager, WebVoyager_data.jsonl: web_name, id, ques, web; answers from {ANSWERS} beside it",
    _reader,
)
PAE = Source(
    "pae-webvoyager",
    "PAE-WebVoyager",
    "unknown",
    "tasks proposed by PAE on WebVoyager's kind of sites, JSON Lines: web_name, id, ques, web",
    simple(read_entry),
)
GAIA = Source(
    "gaia-web",
    "GAIA-Web",
    "unknown",
    "GAIA_web.jsonl of WebVoyager: web_name, id, ques, web, Level, Final answer",
    simple(read_entry),
)
