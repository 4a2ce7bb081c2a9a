"""Reads evaluations and groups of stored training runs, for display."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from webgym.algorithms.advantages.chosen import estimator_of
from webgym.algorithms.registry import ESTIMATORS
from webgym.buffer.advantages import DroppedGroup, GroupAdvantages, score
from webgym.curves.file import read
from webgym.errors import StoreError
from webgym.records.base import Record
from webgym.run.training.flow.settled_groups import SettledGroups
from webgym.run.training.folders import Folders
from webgym.run.training.shuffle import shuffled
from webgym.store.meta import META_FILE, load_meta
from webgym.store.rows import Row
from webgym.viewer.training import EvaluationRun, Training, TrainingGroup


class StoredTrainings:
    """The training runs in their folders, readable while they are written. Blocking."""

    def training(self, run: Path) -> Training:
        """Describe a training run.

        Raises:
            StoreError: Its files cannot be read.
        """
        settings = _settings(run)
        folders = Folders(run)
        finished = {one.iteration: one.evaluation.success for one in read(folders.curve) if one.evaluation}
        begun = sorted(int(one.parent.name) for one in folders.evaluation(0).parent.glob(f"[0-9]*/{META_FILE}"))
        return Training(
            evaluations=tuple(EvaluationRun(one, folders.evaluation(one), finished.get(one)) for one in begun),
            estimator=settings.train.source.estimator or "",
            curriculum=settings.train.curriculum not in ("", "uniform"),
            shuffled=settings.shuffles,
        )

    def groups(self, run: Path, rows: Sequence[Row]) -> tuple[TrainingGroup, ...]:
        """Return the groups of these attempts, in the order in which they began; none if every attempt is alone.

        Raises:
            StoreError: Its files cannot be read.
        """
        settings = _settings(run)
        members: dict[str, list[Row]] = {}
        for row in rows:
            members.setdefault(row.group or row.attempt_id, []).append(row)
        if all(len(group) < 2 for group in members.values()):
            return ()
        scored = {name: _scored(name, group, settings) for name, group in members.items()}
        if settings.train.mode == "async":
            return _settled(scored, Folders(run))
        return _in_iterations(scored, Folders(run))


class _Source(Record, frozen=True):
    estimator: str | None = None
    partial: float = 0.0

    @property
    def by_rewards(self) -> bool:
        """Whether the estimator is built in and looks at rewards alone. One of a user's own is not run for display."""
        if self.estimator is None or self.estimator not in ESTIMATORS or self.partial:
            return False
        return not estimator_of(self.estimator).by_step


class _Agent(Record, frozen=True):
    branches: int = 0


class _Train(Record, frozen=True):
    mode: str = "sync"
    curriculum: str = ""
    source: _Source = _Source()


class _Settings(Record, frozen=True):
    """What is needed of the settings. Others may be of another version, which is why they are not validated here."""

    seed: int = 0
    control: str = ""
    train: _Train = _Train()
    agent: _Agent = _Agent()

    @property
    def by_rewards(self) -> bool:
        """Whether advantages follow from the rewards alone: facts and branches are in the trajectories only."""
        return self.train.source.by_rewards and not self.agent.branches

    @property
    def shuffles(self) -> bool:
        return self.control == "shuffled-rewards"


def _settings(run: Path) -> _Settings:
    text = load_meta(run).config
    try:
        stored: Mapping[str, Any] = tomllib.loads(text)
        return msgspec.convert(stored, _Settings)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise StoreError(f"the settings of {run} cannot be read: {error}") from error


def _scored(name: str, members: Sequence[Row], settings: _Settings) -> TrainingGroup:
    """Return the group as its rewards alone tell it: learned from, or why not."""
    ordered = sorted(members, key=lambda row: row.member)
    estimator = settings.train.source.estimator
    if estimator is None or not settings.by_rewards or any(row.outcome is None for row in ordered):
        return TrainingGroup(name)
    rewards = [row.reward for row in ordered]
    match score(shuffled(rewards, settings.seed, name) if settings.shuffles else rewards, estimator):
        case GroupAdvantages(advantages=advantages):
            told = {row.attempt_id: one for row, one in zip(ordered, advantages, strict=True) if one is not None}
            return TrainingGroup(name, fate="kept", advantages=told)
        case DroppedGroup(reason=reason):
            return TrainingGroup(name, fate=reason)


def _in_iterations(scored: Mapping[str, TrainingGroup], folders: Folders) -> tuple[TrainingGroup, ...]:
    """Synchronous training: a group's name begins with the iteration that sampled it and learned from it."""
    versions = {one.iteration: one.version for one in read(folders.curve)}
    newest = max(versions, default=0)

    def placed(group: TrainingGroup) -> TrainingGroup:
        number = group.name.partition("/")[0]
        if not number.isdecimal():
            return group
        iteration = int(number)
        waits = iteration > newest and group.fate == "kept"
        return TrainingGroup(
            group.name,
            iteration,
            versions.get(iteration - 1, 0 if iteration == 1 else None),
            "open" if waits else group.fate,
            group.advantages,
        )

    return tuple(map(placed, scored.values()))


def _settled(scored: Mapping[str, TrainingGroup], folders: Folders) -> tuple[TrainingGroup, ...]:
    """Asynchronous training: files tell which iteration settled a group, and how."""
    settled = {name: (one, fate) for one in SettledGroups(folders).read().values() for name, fate in one.fates.items()}

    def placed(group: TrainingGroup) -> TrainingGroup:
        if group.name not in settled:
            return TrainingGroup(group.name, fate="open" if group.fate == "kept" else group.fate)
        one, fate = settled[group.name]
        return TrainingGroup(group.name, one.iteration, one.version, fate, group.advantages if fate == "kept" else {})

    return tuple(map(placed, scored.values()))
