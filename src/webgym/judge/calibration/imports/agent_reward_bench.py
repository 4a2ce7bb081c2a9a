"""AgentRewardBench: trajectories of BrowserGym agents as JSON, with screenshots and `annotations.csv`.

    FOLDER/annotations.csv             benchmark, model_name, task_id, trajectory_success, …
    FOLDER/cleaned/<benchmark>/<agent>/<experiment>/<task id>.json
    FOLDER/screenshots/<benchmark>/<agent>/<task id>/….png      where each step's `screenshot_path` ends

`trajectory_success` is Successful, Unsuccessful or Unsure. The first annotation of a trajectory is the primary one.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

import msgspec

from webgym.errors import ConfigError
from webgym.judge.calibration.imports.foreign import Foreign, ForeignStep, browsergym_action, labelled, said_to_user
from webgym.judge.calibration.labelled import LabelledAttempt
from webgym.records.label import Label, Word

ANNOTATIONS = "annotations.csv"
_WORDS: dict[str, Word] = {"successful": "success", "unsuccessful": "failure", "unsure": "unsure"}
_ROOTS = (".", "trajectories")
Key = tuple[str, str, str]


class _RewardBenchStep(msgspec.Struct):
    screenshot_path: str | None = None
    action: str | None = None
    reasoning: str | None = None
    url: str | None = None


class _Trajectory(msgspec.Struct):
    benchmark: str
    goal: str
    steps: list[_RewardBenchStep]
    valid: bool = True


def read(folder: Path, told: Callable[[str], None]) -> Iterator[LabelledAttempt]:
    """Yield every annotated trajectory in the folder; `told` receives the reason for each one skipped.

    Raises:
        ConfigError: There are no annotations, or no trajectories.
    """
    annotations = _annotations(folder)
    files = {
        (path.parents[2].name, path.parents[1].name, path.stem): path
        for root in _ROOTS
        for path in sorted((folder / root / "cleaned").glob("*/*/*/*.json"))
    }
    if not files:
        raise ConfigError(f"{folder} holds no trajectories: cleaned/<benchmark>/<agent>/<experiment>/<task>.json")
    for key, words in annotations.items():
        name = "/".join(key)
        if key not in files:
            told(f"{name}: annotated, but there is no trajectory")
            continue
        try:
            yield labelled(_attempt(folder, files[key], key, words))
        except ConfigError as error:
            told(f"{name}: {error}")


def _annotations(folder: Path) -> dict[Key, list[Word]]:
    path = next((file for file in (folder / ANNOTATIONS, folder / "data" / ANNOTATIONS) if file.is_file()), None)
    if path is None:
        raise ConfigError(f"{folder} holds no {ANNOTATIONS}")
    found: dict[Key, list[Word]] = defaultdict(list)
    try:
        with path.open(newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                key = (row["benchmark"], row["model_name"], row["task_id"])
                found[key].append(_WORDS.get(row["trajectory_success"].strip().lower(), "unsure"))
    except (KeyError, OSError, UnicodeError, csv.Error) as error:
        raise ConfigError(f"{path} cannot be read as AgentRewardBench's annotations: {error!r}") from error
    return found


def _attempt(folder: Path, path: Path, key: Key, words: list[Word]) -> Foreign:
    try:
        trajectory = msgspec.json.decode(path.read_bytes(), type=_Trajectory)
    except (OSError, msgspec.DecodeError, UnicodeError) as error:
        raise ConfigError(f"{path.name} cannot be read: {error}") from error
    if not trajectory.valid:
        raise ConfigError("marked as not valid")
    attempt_id = "/".join(key[1:])
    said = [found for step in trajectory.steps if step.action and (found := said_to_user(step.action)) is not None]
    return Foreign(
        attempt_id=attempt_id,
        task_id=key[2],
        benchmark=f"agent-reward-bench:{key[0]}",
        instruction=trajectory.goal,
        website=next((step.url for step in trajectory.steps if step.url), ""),
        moments=[_moment(folder, step) for step in trajectory.steps if step.screenshot_path],
        answer=said[-1] if said else None,
        labels=tuple(
            Label(attempt_id, word, f"agent-reward-bench:{'primary' if not index else f'secondary-{index}'}", 0.0)
            for index, word in enumerate(words)
        ),
    )


def _moment(folder: Path, step: _RewardBenchStep) -> ForeignStep:
    words = step.action or ""
    tells = said_to_user(words) is not None
    return ForeignStep(
        picture=_picture(folder, step.screenshot_path or ""),
        url=step.url or "",
        action=None if tells else browsergym_action(words),
        did="" if tells else words,
        thought=step.reasoning or "",
    )


def _picture(folder: Path, named: str) -> bytes:
    """Resolve the path's tail below the folder: imported data must not choose which files are read."""
    parts = PurePosixPath(named.replace("\\", "/")).parts
    tail = parts[parts.index("screenshots") :] if "screenshots" in parts else parts[-1:]
    if ".." in tail:
        raise ConfigError(f"{named} points outside its folder")
    for root in _ROOTS:
        path = folder.joinpath(root, *tail)
        if path.is_file():
            return path.read_bytes()
    raise ConfigError(f"{'/'.join(tail)} is missing")
