"""Published versions of the weights, which rollouts follow while nano trains.

weights/v00001/, weights/v00002/ …   folders made by `write_folder`; one that holds `model.safetensors` is complete
"""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import re
import shutil
from collections.abc import Mapping
from pathlib import Path

import torch
from torch import Tensor

from webgym.errors import LossNotFinite
from webgym_nano.config import NanoConfig
from webgym_nano.folder import WEIGHTS, write_folder
from webgym_nano.model import new_model

_NAME = re.compile(r"v(\d{5,})")


def versions(folder: Path) -> dict[int, Path]:
    """Return the complete versions in a folder, oldest first."""
    found = ((_NAME.fullmatch(path.parent.name), path.parent) for path in folder.glob(f"v*/{WEIGHTS}"))
    return dict(sorted((int(name[1]), path) for name, path in found if name is not None))


class Publisher:
    """Publishes versions of one learner, numbered after those that exist."""

    def __init__(self, folder: Path, config: NanoConfig, keep: int) -> None:
        self._folder = folder
        self._config = config
        self._keep = keep
        self._model = new_model(config)
        self.version = max(versions(folder), default=0)

    def publish(self, weights: Mapping[str, Tensor]) -> Path:
        """Write the next version, and delete the oldest.

        Raises:
            LossNotFinite: Some weights are not finite; nothing is published.
        """
        self._fill(weights)
        self.version += 1
        folder = self._folder / f"v{self.version:05d}"
        shutil.rmtree(folder, ignore_errors=True)  # what a killed learner left half-written
        write_folder(folder, self._model, self._config)
        for number, path in versions(self._folder).items():
            if number <= self.version - self._keep:
                shutil.rmtree(path, ignore_errors=True)
        return folder

    def write(self, folder: Path, weights: Mapping[str, Tensor]) -> None:
        """Write the weights to a folder of any name."""
        self._fill(weights)
        write_folder(folder, self._model, self._config)

    @torch.no_grad()
    def _fill(self, weights: Mapping[str, Tensor]) -> None:
        here = {name: weight.to("cpu") for name, weight in weights.items()}
        if wrong := [name for name, weight in here.items() if not torch.isfinite(weight).all()]:
            raise LossNotFinite(f"{wrong[0]} contains NaN or infinite values")
        for name, weight in self._model.named_parameters():
            weight.copy_(here[name])
