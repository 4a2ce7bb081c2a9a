"""Export of curves to TensorBoard."""

from __future__ import annotations

import importlib
from pathlib import Path
from typing import Any

from webgym.curves.tracker import flat
from webgym.errors import ConfigError
from webgym.records.curve import Iteration


class TensorBoard:
    """A `Tracker` that writes event files to a folder, for `tensorboard --logdir FOLDER`.

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
            # A resumed run repeats iterations, so purge what was written of them before. A late evaluation, which has
            # no `seconds`, repeats nothing.
            again = iteration.iteration if iteration.seconds else None
            self._writer = self._library.SummaryWriter(str(self._folder), purge_step=again)
        for name, value in flat(iteration).items():
            self._writer.add_scalar(name, value, iteration.iteration, walltime=iteration.ended)
        self._writer.flush()  # iterations take minutes: show each at once

    def close(self) -> None:
        if self._writer is not None:
            self._writer.close()
