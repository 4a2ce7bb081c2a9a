"""CUAVerifierBench: Parquet files of trajectories with screenshots, and of reviewers' annotations.

    FOLDER/trajectories/<split>-*.parquet    task_id, instruction, init_url, final_answer, is_aborted, web_surfer_log,
                                             screenshots, final_human_outcome_label, …
    FOLDER/annotations/<split>-*.parquet     task_id, annotator, human_judgement_outcome, outcome_comment, …

The adjudicated label is used if there is one, else the reviewers' own labels from before they saw any verifier.
"""

from __future__ import annotations

import importlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from webgym.errors import ConfigError
from webgym.judge.calibration.imports.foreign import Foreign, ForeignStep, computer_action, labelled
from webgym.judge.calibration.labelled import LabelledAttempt
from webgym.records.label import Label, Word

_COLUMNS = (
    "task_id",
    "instruction",
    "init_url",
    "final_answer",
    "web_surfer_log",
    "screenshots",
    "final_human_outcome_label",
)
_ANNOTATION_COLUMNS = ("task_id", "annotator", "human_judgement_outcome", "outcome_comment")
_WORDS: dict[str, Word] = {"correct": "success", "incorrect": "failure"}
_NO_ANSWER = "<no_answer>"
_ROWS_AT_ONCE = 4
"""Small, because rows contain their screenshots."""
_ENDS = ("terminate", "stop", "final_answer")


class _Event(msgspec.Struct):
    action: str | None = None
    arguments: dict[str, Any] = {}
    url: str | None = None
    message: str | None = None


def read(folder: Path, told: Callable[[str], None]) -> Iterator[LabelledAttempt]:
    """Yield every labelled trajectory in the folder; `told` receives the reason for each one skipped.

    Raises:
        ConfigError: There are no such files, or pyarrow is missing.
    """
    files = sorted((folder / "trajectories").glob("*.parquet"))
    if not files:
        raise ConfigError(f"{folder} holds no trajectories/*.parquet")
    votes = _votes(sorted((folder / "annotations").glob("*.parquet")))
    for path in files:
        split = path.name.partition("-")[0]
        for row in _rows(path, _COLUMNS):
            name = f"{split}/{row['task_id']}"
            try:
                yield labelled(_attempt(row, name, split, votes.get((split, row["task_id"]), [])))
            except ConfigError as error:
                told(f"{name}: {error}")


def _attempt(row: dict[str, Any], name: str, split: str, votes: list[tuple[str, Word, str]]) -> Foreign:
    events = _events(row["web_surfer_log"] or "")
    answer = row["final_answer"]
    labels = _labels(name, row["final_human_outcome_label"], votes)
    if not labels:
        raise ConfigError("it has no label")
    return Foreign(
        attempt_id=name,
        task_id=str(row["task_id"]),
        benchmark=f"cua-verifier-bench:{split}",
        instruction=row["instruction"] or "",
        website=row["init_url"] or "",
        moments=[
            _moment(screenshot, events[index] if index < len(events) else _Event())
            for index, screenshot in enumerate(row["screenshots"] or [])
        ],
        answer=None if answer in {None, _NO_ANSWER} else answer,
        labels=labels,
    )


def _labels(name: str, final: int | None, votes: list[tuple[str, Word, str]]) -> tuple[Label, ...]:
    if final in {0, 1}:
        return (Label(name, "success" if final else "failure", "cua-verifier-bench:adjudicated", 0.0),)
    return tuple(Label(name, word, f"cua-verifier-bench:{who}", 0.0, note=why) for who, word, why in votes)


def _moment(picture: dict[str, Any] | bytes | None, event: _Event) -> ForeignStep:
    data = picture.get("bytes") if isinstance(picture, dict) else picture
    if not isinstance(data, bytes):
        raise ConfigError("a screenshot is not in the file")
    name = str(event.arguments.get("action") or event.action or "")
    if name in _ENDS:
        return ForeignStep(data, event.url or "")
    arguments = {key: value for key, value in event.arguments.items() if key not in {"action", "thoughts"}}
    did = f"{name} {msgspec.json.encode(arguments).decode()}" if name else ""
    thought = str(event.arguments.get("thoughts") or event.message or "")
    return ForeignStep(data, event.url or "", computer_action(name, arguments), did, thought)


def _events(log: str) -> list[_Event]:
    """Decode one event per line; an unreadable line becomes an unknown action."""
    events: list[_Event] = []
    for line in log.splitlines():
        if line.strip():
            try:
                events.append(msgspec.json.decode(line, type=_Event))
            except (msgspec.DecodeError, UnicodeError):
                events.append(_Event())
    return events


def _votes(files: list[Path]) -> dict[tuple[str, str], list[tuple[str, Word, str]]]:
    found: dict[tuple[str, str], list[tuple[str, Word, str]]] = defaultdict(list)
    for path in files:
        split = path.name.partition("-")[0]
        for row in _rows(path, _ANNOTATION_COLUMNS):
            word = _WORDS.get(str(row["human_judgement_outcome"]).strip().lower(), "unsure")
            found[split, row["task_id"]].append((str(row["annotator"]), word, row["outcome_comment"] or ""))
    return found


def _rows(path: Path, columns: tuple[str, ...]) -> Iterator[dict[str, Any]]:
    try:
        parquet: Any = importlib.import_module("pyarrow.parquet")
    except ModuleNotFoundError:
        raise ConfigError("CUAVerifierBench is in Parquet: pip install '.[export]' in a clone of WebGym") from None
    try:
        with parquet.ParquetFile(path) as file:
            missing = set(columns) - set(file.schema_arrow.names)
            if missing:
                raise ConfigError(f"{path} lacks the columns {', '.join(sorted(missing))}")
            for batch in file.iter_batches(_ROWS_AT_ONCE, columns=list(columns)):
                yield from batch.to_pylist()
    except (OSError, ValueError) as error:  # pyarrow's errors derive from these
        raise ConfigError(f"{path} cannot be read: {error}") from error
