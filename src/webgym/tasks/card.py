"""The dataset card of a task set: contents, licences, processing steps, and a hash."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from webgym.records.base import Record
from webgym.records.task import MOST_EASY_FACTS, MOST_MEDIUM_FACTS
from webgym.records.task_row import TASK_ROW_VERSION
from webgym.tasks.arrow import compute

CARD_VERSION = 1


class Card(Record, frozen=True, omit_defaults=False):
    """The contents of a task set."""

    name: str
    rows: int
    websites: int
    decomposed: int
    without_website: int
    without_rubric: int
    sealed: int
    splits: dict[str, int]
    levels: dict[str, int]
    sources: dict[str, int]
    licences: dict[str, int]
    domains: dict[str, int]
    sha256: str = ""
    """Hash of the Parquet file."""
    made: tuple[str, ...] = ()
    """The processing steps, in order."""
    row_version: int = TASK_ROW_VERSION
    version: int = CARD_VERSION


def card_of(name: str, table: Any, *, sha256: str = "", made: tuple[str, ...] = ()) -> Card:
    """Summarize a table."""
    pc = compute()
    return Card(
        name=name,
        rows=table.num_rows,
        websites=len(set(pc.unique(table["site"]).to_pylist()) - {""}),
        decomposed=table.num_rows - table["decomposed_from"].null_count,
        without_website=_number(pc.equal(table["website"], "")),
        without_rubric=_number(pc.equal(table["difficulty"], 0)),
        sealed=_number(pc.not_equal(table["sealed"].cast("string"), "")),
        splits=counts(table["split"]),
        levels=level_counts(table["difficulty"]),
        sources=counts(table["source"]),
        licences=counts(table["licence"]),
        domains=counts(table["domain"]),
        sha256=sha256,
        made=made,
    )


def counts(column: Any) -> dict[str, int]:
    """Count the values, most frequent first."""
    found = [
        (count["values"].as_py() or "", count["counts"].as_py()) for count in column.combine_chunks().value_counts()
    ]
    return dict(sorted(found, key=lambda pair: (-pair[1], pair[0])))


def level_counts(difficulty: Any) -> dict[str, int]:
    """Count the tasks of each level; tasks without a rubric have none."""
    pc = compute()
    facts = difficulty
    return {
        "easy": _number(pc.and_(pc.greater(facts, 0), pc.less_equal(facts, MOST_EASY_FACTS))),
        "medium": _number(pc.and_(pc.greater(facts, MOST_EASY_FACTS), pc.less_equal(facts, MOST_MEDIUM_FACTS))),
        "hard": _number(pc.greater(facts, MOST_MEDIUM_FACTS)),
    }


def hash_of(path: Path) -> str:
    """The SHA-256 of a file."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def readme(card: Card) -> str:
    """Render the card as Markdown, with the front matter that dataset hubs read."""
    lines = [
        "---",
        f"pretty_name: {card.name}",
        "license: other",
        "configs:",
        "- config_name: default",
        "  data_files: tasks.parquet",
        "---",
        "",
        f"# {card.name}",
        "",
        _summary(card),
        "",
        f"`tasks.parquet`, SHA-256 `{card.sha256}`, row format {card.row_version}.",
        "",
    ]
    for title, counted in (
        ("Splits", card.splits),
        ("Levels", card.levels),
        ("Sources", card.sources),
        ("Licences", card.licences),
        ("Domains", card.domains),
    ):
        lines += [f"## {title}", "", "| | tasks |", "|---|---|"]
        lines += [f"| {name or '(none)'} | {number:,} |" for name, number in counted.items()] + [""]
    lines += ["## How it was made", "", *(f"{number}. {step}" for number, step in enumerate(card.made, start=1)), ""]
    return "\n".join(lines)


def _summary(card: Card) -> str:
    return (
        f"{card.rows:,} tasks on {card.websites:,} websites; {card.decomposed:,} are subtasks of other tasks. "
        f"{card.without_website:,} have no website yet, {card.without_rubric:,} no rubric; {card.sealed:,} are sealed."
    )


def _number(mask: Any) -> int:
    return compute().sum(mask).as_py() or 0
