"""Weights on disk: reading, checking, and the digest that identifies them."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec
import torch
from safetensors import SafetensorError, safe_open

from webgym.errors import ConfigError
from webgym.store.digest import files_digest

_INDEX = "model.safetensors.index.json"
_SINGLE = "model.safetensors"

EMBEDDING = "model.language_model.embed_tokens.weight"
HEAD = "lm_head.weight"


def weight_files(folder: Path) -> tuple[Path, ...]:
    """Return the files that hold the weights, in order of file name.

    Raises:
        ConfigError: One is missing.
    """
    if (folder / _INDEX).is_file():
        names = set(msgspec.json.decode((folder / _INDEX).read_bytes())["weight_map"].values())
    else:
        names = {_SINGLE}
    paths = tuple(folder / name for name in sorted(names))
    if missing := [path.name for path in paths if not path.is_file()]:
        raise ConfigError(f"{folder} holds no weights: {', '.join(missing)} missing")
    return paths


def weights_digest(folder: Path) -> str:
    """Return the SHA-256 over the bytes of the weight files, in order of file name."""
    return files_digest(weight_files(folder))


class Checkpoint(Mapping[str, torch.Tensor]):
    """The tensors of a checkpoint folder by name, read from disk on access."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._files: dict[str, Any] = {}
        for path in weight_files(folder):
            try:
                opened = safe_open(path, framework="pt")
            except (SafetensorError, OSError) as error:
                raise ConfigError(f"{path} cannot be read: {error}") from error
            self._files.update(dict.fromkeys(opened.keys(), opened))

    def __getitem__(self, name: str) -> torch.Tensor:
        return self._files[name].get_tensor(name)

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def numbers(self, *, tied: bool) -> int:
        """Return the total number of parameters, from the file headers; a tied output layer is not counted."""
        names = [name for name in self._files if not (tied and name == HEAD)]
        return sum(math.prod(self._files[name].get_slice(name).get_shape()) for name in names)


def check_tied(tensors: Mapping[str, torch.Tensor], *, tied: bool) -> None:
    """Check that an output layer that is tied to the embedding, but stored too, equals it.

    A stale copy, loaded over a trained embedding, would serve a policy that nobody trained.

    Raises:
        ConfigError: It differs, or an output layer that is not tied is missing.
    """
    both = HEAD in tensors and EMBEDDING in tensors
    if tied and both and not torch.equal(tensors[HEAD], tensors[EMBEDDING]):
        raise ConfigError(f"{HEAD} is tied to {EMBEDDING} by config.json, and differs from it: one of them is stale")
    if not tied and HEAD not in tensors:
        raise ConfigError(f"{HEAD} is missing, and config.json does not tie it to the embedding")
