"""Online-Mind2Web: one folder per agent, in it one per task, and `human_label.json` with a label for each attempt.

    FOLDER/human_label.json            [{"task_id", "confirmed_task", "<Agent>_human_label": "0" | "1" | "2"}, …]
    FOLDER/<agent>/<task id>/result.json
    FOLDER/<agent>/<task id>/trajectory/0_….png, 1_….png, …

Reads both forms of `result.json`: the first (parallel lists of strings) and the second (`schema_version`
"online-mind2web-v2": a list of steps). Label 2, not executable, is `blocked` here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec

from webgym.errors import ConfigError
from webgym.judge.calibration.imports.foreign import Foreign, ForeignStep, labelled
from webgym.judge.calibration.labelled import LabelledAttempt
from webgym.records.action import Click, Navigate, Point, TypeText
from webgym.records.label import Label, Word

LABELS = "human_label.json"
_SUFFIX = "_human_label"
_WORDS: dict[str, Word] = {"0": "failure", "1": "success", "2": "blocked"}
_NUMBER = re.compile(r"\d+")
_COORDS = re.compile(r"coords\((\d+),\s*(\d+)\)")
_TYPED = re.compile(r"(?:TYPE|INPUT)\w*\s*(?:->|:)\s*(.+?)(?:\s*\|\s*\w+)?$", re.IGNORECASE)
_WENT = re.compile(r"(?:NAVIGATE|GOTO)\b.*?(https?://\S+)", re.IGNORECASE)


class _Mind2WebStep(msgspec.Struct):
    action: str = ""
    screenshot: str = ""
    url: str | None = None
    thought: str | None = None


class _Result(msgspec.Struct):
    task: str = ""
    task_id: str = ""
    schema_version: str = ""
    website: str | None = None
    action_history: list[_Mind2WebStep | str] = []
    thoughts: list[str | None] = []
    final_result_response: str | None = None
    agent_final_answer: str | None = None


def read(folder: Path, told: Callable[[str], None]) -> Iterator[LabelledAttempt]:
    """Yield every labelled attempt in the folder; `told` receives the reason for each one skipped.

    Raises:
        ConfigError: There are no labels, or no folder of an agent that they name.
    """
    path = folder / LABELS
    if not path.is_file():
        raise ConfigError(f"{folder} holds no {LABELS}: it comes with Online-Mind2Web's evaluation results")
    rows = _decoded(path, list[dict[str, Any]])
    agents = {name.removesuffix(_SUFFIX) for row in rows for name in row if name.endswith(_SUFFIX)}
    found = [(agent, place) for agent in sorted(agents) if (place := _folder_of(folder, agent)) is not None]
    if not found:
        raise ConfigError(f"{folder} holds no folder named for an agent of {LABELS}: {', '.join(sorted(agents))}")
    for agent, place in found:
        for row in rows:
            task_id, label = str(row.get("task_id", "")), str(row.get(f"{agent}{_SUFFIX}", ""))
            if label in _WORDS and (place / task_id / "result.json").is_file():
                try:
                    yield labelled(_attempt(place / task_id, agent, task_id, _WORDS[label]))
                except ConfigError as error:
                    told(f"{agent}/{task_id}: {error}")


def _attempt(place: Path, agent: str, task_id: str, word: Word) -> Foreign:
    result = _decoded(place / "result.json", _Result)
    attempt_id = f"{agent}/{task_id}"
    return Foreign(
        attempt_id=attempt_id,
        task_id=task_id,
        benchmark="online-mind2web",
        instruction=result.task,
        website=result.website or next((moment.url for moment in _moments(place, result) if moment.url), ""),
        moments=_moments(place, result),
        answer=result.agent_final_answer or result.final_result_response,
        labels=(Label(attempt_id, word, "online-mind2web", 0.0),),
    )


def _moments(place: Path, result: _Result) -> list[ForeignStep]:
    pictures = place / "trajectory"
    steps = result.action_history
    if all(isinstance(step, _Mind2WebStep) for step in steps) and steps:
        return [_of_step(pictures, step) for step in steps if isinstance(step, _Mind2WebStep)]
    try:
        files = sorted((file for file in pictures.iterdir() if _NUMBER.search(file.name)), key=_first_number)
    except OSError as error:
        raise ConfigError(f"no screenshots: {error}") from None
    words = [step if isinstance(step, str) else step.action for step in steps]
    thoughts = [thought or "" for thought in result.thoughts]
    return [
        ForeignStep(
            file.read_bytes(),
            did=words[index] if index < len(words) else "",
            action=_action(words[index]) if index < len(words) else None,
            thought=thoughts[index] if index < len(thoughts) else "",
        )
        for index, file in enumerate(files)
    ]


def _of_step(pictures: Path, step: _Mind2WebStep) -> ForeignStep:
    # The file name only: imported data must not choose which files are read.
    path = pictures / Path(step.screenshot).name
    if not path.is_file():
        raise ConfigError(f"{path.name} is missing")
    final = step.action.startswith("TASK_COMPLETE")
    did = "" if final else step.action
    return ForeignStep(path.read_bytes(), step.url or "", None if final else _action(did), did, step.thought or "")


def _action(words: str) -> Click | Navigate | TypeText | None:
    if went := _WENT.search(words):
        return Navigate(went[1])
    if place := _COORDS.search(words):
        return Click(Point(int(place[1]), int(place[2])))
    if typed := _TYPED.search(words):
        return TypeText(typed[1])
    return None


def _folder_of(folder: Path, agent: str) -> Path | None:
    wanted = _plain(agent)
    return next((place for place in sorted(folder.iterdir()) if place.is_dir() and _plain(place.name) == wanted), None)


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())


def _first_number(path: Path) -> int:
    found = _NUMBER.search(path.name)
    return int(found[0]) if found else 0


def _decoded(path: Path, kind: Any) -> Any:
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except (OSError, msgspec.DecodeError, UnicodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
