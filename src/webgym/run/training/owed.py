"""Evaluations that are due but missing: deferred, or interrupted by a restart."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import msgspec

from webgym.curves.file import append
from webgym.records.curve import AttemptResults, Iteration
from webgym.records.sample import PolicyVersion
from webgym.run.training.folders import Folders
from webgym.run.training.loop import Plan
from webgym.run.training.startup import Opened


def owed(iterations: Sequence[Iteration], plan: Plan, folders: Folders, model: Path) -> list[tuple[int, PolicyVersion]]:
    """Return iteration and weights of each missing evaluation whose weights still exist, the initial `model` first."""
    found: list[tuple[int, PolicyVersion]] = []
    if not any(one.iteration == 0 and one.evaluation for one in iterations):
        found.append((0, PolicyVersion(0, str(model.resolve()))))
    for one in plan.unevaluated(iterations):
        folder = folders.policy(one.version) if one.version else model
        if one.iteration and folder.is_dir():
            found.append((one.iteration, PolicyVersion(one.version, str(folder.resolve()))))
    return found


def enter(run: Opened, iteration: int, policy: PolicyVersion, found: AttemptResults) -> None:
    """Add an evaluation to the curve entry of its iteration, by appending the entry again: the last line counts."""
    alone = Iteration(
        iteration=iteration,
        version=policy.version,
        ended=_ended(run.iterations, iteration),
        train=None,
        learned=None,
        evaluation=found,
        seconds={},
        steps_per_second=0.0,
        tokens_per_second=0.0,
    )
    place = next((n for n, one in enumerate(run.iterations) if one.iteration == iteration), None)
    there = alone if place is None else msgspec.structs.replace(run.iterations[place], evaluation=found)
    append(run.folders.curve, there)
    if place is None:
        run.iterations.append(there)
        run.iterations.sort(key=lambda one: one.iteration)
    else:
        run.iterations[place] = there
    for tracker in run.trackers:
        tracker.write(alone)
    for warning in alone.warnings:
        run.audience.say(f"warning: {warning}")


def _ended(iterations: Sequence[Iteration], iteration: int) -> float:
    """Return the time of a new entry: the start of the first later iteration, or now if there is none."""
    following = [one.ended - sum(one.seconds.values()) for one in iterations if one.iteration > iteration]
    return min([time.time(), *following])
