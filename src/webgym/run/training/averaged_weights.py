"""The moving average of a policy's weights, which the trainer saves in their folder."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webgym.records.sample import AVERAGED, PolicyVersion


def averaged_weights(policy: PolicyVersion) -> PolicyVersion | None:
    """Return the average that was saved with these weights; None if there is none."""
    folder = averaged_folder(Path(policy.path))
    return msgspec.structs.replace(policy, path=str(folder), digest="") if folder != Path(policy.path) else None


def evaluated_weights(policy: PolicyVersion) -> PolicyVersion:
    """Return what evaluations of these weights use: their average, if there is one."""
    return averaged_weights(policy) or policy


def averaged_folder(folder: Path) -> Path:
    """Return the folder of the average of these weights, or theirs if there is none."""
    inner = folder / AVERAGED
    return inner if inner.is_dir() else folder
