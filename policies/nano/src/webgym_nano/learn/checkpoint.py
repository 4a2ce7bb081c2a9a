"""Training checkpoints: one file, replaced atomically, that a killed learner resumes from."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from webgym.errors import CheckpointError
from webgym.files import drafted
from webgym.records.base import Record
from webgym_nano.learn.model import Pupil
from webgym_nano.learn.optimize import Average, Optimizer

VERSION = 1
NAME = "learner.safetensors"
_HEAD = "learner"


class Head(Record, frozen=True, omit_defaults=False):
    """Everything in a checkpoint that is not a tensor."""

    step: int
    seconds: float
    """Seconds of the budget spent."""
    settings: dict[str, Any]
    """Settings that decide what is learned; a resuming learner must have the same."""
    version: int = VERSION


def save(folder: Path, head: Head, pupil: Pupil, optimizer: Optimizer, average: Average) -> None:
    """Replace the checkpoint in a folder."""
    tensors = {f"weight:{name}": weight.detach() for name, weight in pupil.named_parameters()}
    tensors |= {f"average:{name}": weight for name, weight in average.weights.items()}
    tensors |= dict(optimizer.state())
    folder.mkdir(parents=True, exist_ok=True)
    whole = {name: tensor.to("cpu").contiguous() for name, tensor in tensors.items()}
    with drafted(folder / NAME) as draft:
        save_file(whole, draft, metadata={_HEAD: msgspec.json.encode(head).decode()})


def restore(
    folder: Path, settings: dict[str, Any], pupil: Pupil, optimizer: Optimizer, average: Average
) -> Head | None:
    """Restore a learner's state; None, with nothing changed, if the folder has no checkpoint.

    Raises:
        CheckpointError: It is damaged, or was written with other settings.
    """
    path = folder / NAME
    if not path.is_file():
        return None
    head, found = _read(path)
    if head.version != VERSION:
        raise CheckpointError(f"{path} has format version {head.version}; this WebGym reads version {VERSION}")
    if other := [key for key in settings if head.settings.get(key) != settings[key]]:
        raise CheckpointError(f"{path} was written with different settings: {', '.join(other)}; use another folder")
    wanted = {f"weight:{name}": weight for name, weight in pupil.named_parameters()}
    wanted |= {f"average:{name}": weight for name, weight in average.weights.items()}
    with torch.no_grad():
        for name, weight in wanted.items():
            if name not in found or found[name].shape != weight.shape:
                raise CheckpointError(f"{path} has no {name} of the right shape")
            weight.copy_(found[name])
    if head.step:
        optimizer.restore(found)
    return head


def _read(path: Path) -> tuple[Head, dict[str, Tensor]]:
    opening: Any = safe_open
    try:
        with opening(path, framework="pt") as opened:
            head = msgspec.json.decode(opened.metadata()[_HEAD], type=Head)
            return head, {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118  not a mapping
    except (SafetensorError, OSError, KeyError, TypeError, msgspec.MsgspecError) as error:
        raise CheckpointError(f"{path} is damaged: {error}") from None
