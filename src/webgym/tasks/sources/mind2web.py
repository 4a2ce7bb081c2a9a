"""The Mind2Web family: Mind2Web, Mind2Web-Live, Online-Mind2Web and Mind2Web 2."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast
from urllib.parse import urlsplit

from webgym.records.task_row import Provenance, TaskRow
from webgym.tasks.address import host_of, is_host
from webgym.tasks.problem import BadEntry
from webgym.tasks.sources.names import website_named
from webgym.tasks.sources.source import Entry, Source, length_of, located, made, need, simple

_ASKED = ("task", "task_description", "confirmed_task")
_TRACES = ("actions", "action_reprs", "trace_url", "task", "confirmed_task", "annotation_id")


def _train(entry: Entry, origin: Provenance) -> TaskRow:
    """Sites are given by name, not URL. Recorded actions are dropped, except for their number."""
    return made(
        {**entry, "reference_length": length_of(entry.get("actions") or entry.get("action_reprs"))},
        origin,
        need(entry, "task", "confirmed_task"),
        source_id=entry.get("annotation_id"),
        drop=_TRACES,
        domain=str(entry.get("domain") or ""),
        subdomain=str(entry.get("subdomain") or ""),
        **located(None, need(entry, "website")),
    )


def _live(entry: Entry, origin: Provenance) -> TaskRow:
    """There is no website field: it is inferred from the key nodes of the evaluation."""
    nodes = need(entry, "evaluation")
    if not isinstance(nodes, list):
        raise BadEntry("evaluation is not a list")
    website, how = _where(cast("list[Any]", nodes))
    return made(
        entry,
        origin,
        need(entry, "task"),
        source_id=entry.get("index"),
        drop=("task", "index"),
        website=website,
        inferred=(f"website:{how}",) if website else (),
    )


def _online(entry: Entry, origin: Provenance) -> TaskRow:
    return made(
        entry,
        origin,
        need(entry, "confirmed_task"),
        source_id=need(entry, "task_id"),
        drop=("confirmed_task",),
        **located(need(entry, "website")),
    )


def _second(entry: Entry, origin: Provenance) -> TaskRow:
    """Research across many sites: usually there is no website."""
    return made(
        entry,
        origin,
        need(entry, *_ASKED),
        source_id=entry.get("task_id"),
        drop=_ASKED,
        domain=str(entry.get("domain") or ""),
        subdomain=str(entry.get("subdomain") or ""),
        **located(entry.get("website")),
    )


def _where(nodes: list[Any]) -> tuple[str, str]:
    """Return the site that the first key node names, else the first URL, else the first known host; and how."""
    contents = list(_contents(nodes))
    for content in contents[:1]:
        name = str(content.get("reference_answer") or "").strip(".")
        for tried in (name, name.rpartition(".")[2]):
            if found := website_named(tried):
                return found, "names"
    for content in contents:
        url = content.get("url")
        if isinstance(url, str) and is_host(host_of(url)):
            parts = urlsplit(url)
            return f"{parts.scheme}://{parts.netloc}/", "key nodes"
    for content in contents:
        if found := website_named(str(content.get("netloc") or "")):
            return found, "names"
    return "", ""


def _contents(nodes: list[Any]) -> Iterator[dict[str, Any]]:
    for node in nodes:
        content = cast("dict[str, Any]", node).get("content") if isinstance(node, dict) else None
        if isinstance(content, dict):
            yield cast("dict[str, Any]", content)


TRAIN = Source(
    "mind2web",
    "Mind2Web",
    "CC-BY-4.0",
    "Mind2Web's training tasks, JSON: website (a name), task or confirmed_task, actions",
    simple(_train),
)
LIVE = Source(
    "mind2web-live",
    "Mind2Web-Live",
    "MIT",
    "iMeanAI/WebCanvas, JSON: index, task, reference_task_length, evaluation (key nodes)",
    simple(_live),
)
ONLINE = Source(
    "online-mind2web",
    "Online-Mind2Web",
    "CC-BY-4.0",
    "Online-Mind2Web, JSON: task_id, confirmed_task, website, reference_length, level",
    simple(_online),
)
SECOND = Source(
    "mind2web-2",
    "Mind2Web-2",
    "unknown",
    "Mind2Web-2, JSON Lines, JSON or CSV: task_id, task",
    simple(_second),
)
