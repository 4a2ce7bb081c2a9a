"""Exact trainer checkpoints: a run that is killed and resumed ends with the weights it would have had."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import torch
from pydantic import ValidationError
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from webgym.errors import CheckpointError
from webgym.records.base import Record
from webgym.train.checkpoint_files import delete_folder, drafted_folder, replace_folder, settle_folder, sync
from webgym.train.distributed_tensors import fill, full_tensor, rank
from webgym.train.optimizer import moment_types, moments, restore_moments, trainable
from webgym.train.recipe import Recipe
from webgym.train.trainer import ModelTrainer
from webgym.train.typed import wait_for_all

VERSION = 1
MOST_BYTES = 4 << 30
"""A file is closed once it holds this many bytes."""
_HEAD = "trainer.json"


class CheckpointHeader(Record, frozen=True, omit_defaults=False):
    """Everything in a checkpoint that is not a tensor."""

    version: int
    model: str
    """Folder that the initial weights were read from."""
    steps: int
    batches: int
    settings: str
    recipe: str
    files: dict[str, int]
    """Size of each tensor file in bytes, by name."""
    position: Any = None
    """The caller's position in its data."""


class Checkpoints:
    """A folder of checkpoints, of which the newest `keep` are kept."""

    def __init__(self, folder: Path, keep: int = 2) -> None:
        self.folder = folder
        self.keep = max(1, keep)

    def save(self, trainer: ModelTrainer, position: Any = None) -> Path:
        """Write a checkpoint atomically. All ranks must call it."""
        name = f"step-{trainer.steps:08d}"
        folder, making = self.folder / name, self.folder / f".{name}.{os.getpid()}"
        if rank() == 0:
            self._settle()
            with drafted_folder(making):
                head = _head_of(trainer, _write(making, _tensors(trainer)), position)
                (making / _HEAD).write_bytes(msgspec.json.encode(head))
                sync(making / _HEAD)
                replace_folder(making, folder)
            for old in self.all()[: -self.keep]:
                delete_folder(old)
        else:
            for _ in _tensors(trainer):  # gathering sharded tensors is a collective
                pass
        if torch.distributed.is_initialized():
            wait_for_all()
        return folder

    def all(self) -> list[Path]:
        """Return the checkpoint folders, oldest first."""
        return sorted(path.parent for path in self.folder.glob(f"step-*/{_HEAD}"))

    def resume(self, trainer: ModelTrainer) -> Any | None:
        """Restore the newest checkpoint and return its position; None if there is none. All ranks must call it.

        Raises:
            CheckpointError: It is damaged, or was written for another model or recipe.
        """
        if rank() == 0:
            self._settle()
        if torch.distributed.is_initialized():
            wait_for_all()  # no rank looks before the newest is in its place
        found = self.all()
        return restore(trainer, found[-1]) if found else None

    def _settle(self) -> None:
        """Put complete checkpoints that killed processes left beside their place there; delete what is half-written."""
        for name in {path.stem[1:] for path in self.folder.glob(".step-*.*")}:
            settle_folder(self.folder / name)


def restore(trainer: ModelTrainer, folder: Path) -> Any:
    """Restore a trainer's state from a checkpoint and return the caller's position.

    Raises:
        CheckpointError: It is damaged, or was written for another model or recipe.
    """
    head = _head(folder)
    _check(trainer, head, folder)
    tensors: dict[str, Tensor] = {}
    for name in head.files:
        try:
            tensors |= load_file(folder / name)
        except (SafetensorError, OSError) as error:
            raise CheckpointError(f"{folder / name} is damaged: {error}") from None
    for name, weight in trainable(trainer.model):
        stored = tensors.get(f"weights.{name}")
        if stored is None or stored.shape != weight.shape:
            raise CheckpointError(f"{folder} has no such weight: {name}")
        fill(weight, stored)
    for name, mean in trainer.average.tensors() if trainer.average is not None else ():
        fill(mean, tensors[f"average.{name}"])
    restore_moments(trainer.model, trainer.optimizer, tensors, head.steps, moment_types(trainer.settings))
    torch.set_rng_state(tensors["rng.cpu"])
    if "rng.cuda" in tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(tensors["rng.cuda"])
    trainer.steps, trainer.batches = head.steps, head.batches
    return head.position


def _head_of(trainer: ModelTrainer, files: dict[str, int], position: Any) -> CheckpointHeader:
    return CheckpointHeader(
        version=VERSION,
        model=str(trainer.source.folder),
        steps=trainer.steps,
        batches=trainer.batches,
        settings=_text(trainer.settings.model_dump(mode="json")),
        recipe=_text(trainer.recipe.model_dump(mode="json")),
        files=files,
        position=position,
    )


def _tensors(trainer: ModelTrainer) -> Iterator[tuple[str, Tensor]]:
    for name, weight in trainable(trainer.model):
        yield f"weights.{name}", full_tensor(weight)
    if trainer.average is not None:
        for name, mean in trainer.average.tensors():
            yield f"average.{name}", full_tensor(mean)
    yield from moments(trainer.model, trainer.optimizer)
    yield "rng.cpu", torch.get_rng_state()
    if torch.cuda.is_available():
        yield "rng.cuda", torch.cuda.get_rng_state()


def _write(folder: Path, tensors: Iterator[tuple[str, Tensor]]) -> dict[str, int]:
    """Write files of a few gigabytes each, so that only one file's worth is held in host memory at a time."""
    files: dict[str, int] = {}
    waiting: dict[str, Tensor] = {}

    def flush() -> None:
        path = folder / f"{len(files):05d}.safetensors"
        save_file(waiting, path)
        sync(path)
        files[path.name] = path.stat().st_size
        waiting.clear()

    for name, tensor in tensors:
        waiting[name] = tensor.cpu().contiguous()
        if sum(each.nbytes for each in waiting.values()) >= MOST_BYTES:
            flush()
    if waiting:
        flush()
    return files


def _head(folder: Path) -> CheckpointHeader:
    try:
        head = msgspec.json.decode((folder / _HEAD).read_bytes(), type=CheckpointHeader)
    except (OSError, msgspec.MsgspecError) as error:
        raise CheckpointError(f"{folder} is not a checkpoint: {error}") from None
    if head.version != VERSION:
        raise CheckpointError(f"{folder} has format version {head.version}; this WebGym reads version {VERSION}")
    for name, size in head.files.items():
        path = folder / name
        if not path.is_file() or path.stat().st_size != size:
            raise CheckpointError(f"{path} is missing or cut short")
    return head


def _check(trainer: ModelTrainer, head: CheckpointHeader, folder: Path) -> None:
    """Check that recipe and trained state match; settings of how to compute may differ."""
    if not _is_recipe(head.recipe, trainer.recipe):
        raise CheckpointError(f"{folder} was written with another recipe")
    then, now = json.loads(head.settings), trainer.settings.model_dump(mode="json")
    for name in ("lora", "train_vision", "first_moment", "second_moment", "seed"):
        if then.get(name) != now[name]:
            raise CheckpointError(f"{folder} was written with {name} {then.get(name)}, not {now[name]}")


def _is_recipe(text: str, recipe: Recipe) -> bool:
    """Return whether a recipe was written as this one, possibly in the spelling of an earlier version."""
    try:
        return Recipe.model_validate_json(text) == recipe
    except ValidationError:
        return False


def _text(values: Mapping[str, Any]) -> str:
    return json.dumps(values, sort_keys=True)
