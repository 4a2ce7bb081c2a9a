"""InSTA, AgentSynth, TravelPlanner and DeepShop."""

from __future__ import annotations

import re
from typing import cast

from webgym.records.task import FactGroup
from webgym.records.task_row import Provenance, TaskRow
from webgym.tasks.problem import SkippedEntry
from webgym.tasks.sources.source import Entry, Source, digest, length_of, located, made, need, simple

_REQUIREMENTS = ("attribute", "filter", "sort")
_NO_TASK = {"N/A", "NONE"}
_WORDS = {
    "attribute": "The product has the attribute asked for",
    "filter": "The results are filtered as asked for",
    "sort": "The results are sorted as asked for",
}


def _insta(entry: Entry, origin: Provenance) -> TaskRow:
    instruction, website = need(entry, "instruction", "task"), need(entry, "website")
    if str(instruction).strip().upper() in _NO_TASK:
        raise SkippedEntry("the source has no task for this website")
    return made(
        entry,
        origin,
        instruction,
        source_id=entry.get("identifier") or digest(str(website), str(instruction)),
        drop=("instruction", "task", "identifier"),
        **located(website),
    )


def _agentsynth(entry: Entry, origin: Provenance) -> TaskRow:
    """Recorded thoughts and pages are dropped; the number of actions is kept.

    A task on several sites starts on the first.
    """
    website = need(entry, "website")
    several = re.split(r"\s+and\s+|\s*,\s*", website) if isinstance(website, str) else []
    more = {"inferred": ("website:the first of several",)} if len(several) > 1 else {}
    return made(
        {
            **entry,
            "reference_length": length_of(entry.get("action_sequence")),
            **({"websites": several} if more else {}),
        },
        origin,
        need(entry, "task"),
        source_id=f"{origin.file.partition('.')[0]}-{origin.line}",
        drop=("task", "action_sequence", "thoughts_sequence", "webpage_text"),
        **located(several[0] if more else website),
        **more,
    )


def _travelplanner(entry: Entry, origin: Provenance) -> TaskRow:
    """There is no website: enrichment finds one. Dates are in the past: cleaning makes them relative."""
    return made(
        entry,
        origin,
        need(entry, "query"),
        source_id=entry.get("idx") or entry.get("id"),
        drop=("query", "idx", "plan", "reference_information", "annotated_plan"),
        **located(entry.get("website")),
    )


def _deepshop(entry: Entry, origin: Provenance) -> TaskRow:
    """The rubric is built from the required attributes, filters and sorting."""
    named = ((kind, _texts(_requirement(entry, kind))) for kind in _REQUIREMENTS)
    groups = [(kind, texts) for kind, texts in named if texts]
    rubric = tuple(
        FactGroup(number, kind, tuple(f"{_WORDS[kind]}: {text}" for text in texts))
        for number, (kind, texts) in enumerate(groups, start=1)
    )
    return made(
        entry,
        origin,
        need(entry, "ques", "query", "task"),
        source_id=entry.get("id"),
        drop=("ques", "query", "task", "id", "web"),
        rubric=rubric,
        **located(entry.get("web") or entry.get("website"), entry.get("web_name")),
    )


def _requirement(entry: Entry, kind: str) -> object:
    """Return a requirement under any of its field names: singular, plural, or with the suffix `_requirement`."""
    names = (kind, f"{kind}s", f"{kind}_requirement", f"{kind}_requirements")
    return next((entry[name] for name in names if entry.get(name)), None)


def _texts(given: object) -> list[str]:
    if isinstance(given, list):
        return [text for item in cast("list[object]", given) for text in _texts(item)]
    if isinstance(given, dict):
        return [f"{name}: {text}" for name, item in cast("dict[str, object]", given).items() for text in _texts(item)]
    text = given.strip() if isinstance(given, str) else ""
    return [text] if text and text.casefold() not in {"none", "null", "n/a", "-"} else []


INSTA = Source(
    "insta-v3",
    "InSTA-v3",
    "MIT",
    "data-for-agents/insta-150k-v3, Parquet or JSON Lines: website, instruction, criteria, steps",
    simple(_insta),
)
AGENTSYNTH = Source(
    "agentsynth-web",
    "AgentSynth-Web",
    "Apache-2.0",
    "sunblaze-ucb/AgentSynth, task_sequences.jsonl or summarized_task_sequences.jsonl: website, task",
    simple(_agentsynth),
)
TRAVELPLANNER = Source(
    "travelplanner",
    "TravelPlanner",
    "MIT",
    "OSU-NLP-Group/TravelPlanner, JSON Lines or CSV: idx, query",
    simple(_travelplanner),
)
DEEPSHOP = Source(
    "deepshop",
    "DeepShop",
    "CC-BY-4.0",
    "DeepShop/DeepShop, JSON Lines: id, ques, web, web_name, attribute, filter, sort",
    simple(_deepshop),
)
