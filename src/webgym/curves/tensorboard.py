"""Curves in TensorBoard's own files."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from webgym.curves.tracker import flat
from webgym.errors import ConfigError
from webgym.records.curve import Iteration


class TensorBoard:
    """A `Tracker` that writes event files into a folder: `tensorboard --logdir FOLDER` shows them.

    Raises:
        ConfigError: tensorboardX is not installed.
    """

    def __init__(self, folder: Path) -> None:
        try:
            self._library: Any = importlib.import_module("tensorboardX")
        except ImportError as error:
            raise ConfigError(
                "curves for TensorBoard need the package tensorboardX: pip install tensorboardX"
            ) from error
        self._folder = folder
        self._writer: Any = None

    def write(self, iteration: Iteration) -> None:
        if self._writer is None:
            # A run that is resumed does iterations again: what was written of them before is not to be shown. One that
            # has but an evaluation, which came late, is not done again, and neither is what follows it.
            again = iteration.iteration if iteration.seconds else None
            self._writer = self._library.SummaryWriter(str(self._folder), purge_step=again)
        for name, value in flat(iteration).items():
            self._writer.add_scalar(name, value, iteration.iteration, walltime=iteration.ended)
        self._writer.flush()  # an iteration takes minutes: whoever looks should not wait for another one

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
