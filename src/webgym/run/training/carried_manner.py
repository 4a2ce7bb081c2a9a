"""A trainer whose weights carry what they were trained to see and say."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import anyio.to_thread

from webgym.errors import CheckpointError
from webgym.records.sample import TrainingResult
from webgym.run.settings_of_weights import settings_for_weights
from webgym.run.training.averaged_weights import averaged_folder
from webgym.run.training.config import TrainConfig
from webgym.stages import Trainer
from webgym.store.weights_manner import MANNER_FILE, save_manner


def manner_of(config: TrainConfig) -> dict[str, dict[str, Any]]:
    """Return the settings of a training run that belong to its weights, in full."""
    return settings_for_weights(config.model_dump(mode="json", exclude_none=True))


class MannerWriter:
    """Implements `Trainer`: another trainer, with `webgym.json` beside the weights that it publishes."""

    def __init__(self, inner: Trainer, manner: Mapping[str, dict[str, Any]]) -> None:
        self._inner = inner
        self._manner = manner

    async def step(self, batch: Path, version: int, folder: Path) -> TrainingResult:
        """Train as the other trainer does.

        Raises:
            CheckpointError: The file cannot be written; a repeated call writes it.
        """
        trained = await self._inner.step(batch, version, folder)
        await anyio.to_thread.run_sync(_write, Path(trained.policy.path), self._manner)
        return trained


def _write(published: Path, manner: Mapping[str, dict[str, Any]]) -> None:
    if not published.is_dir():  # a trainer of one's own may publish to where only its servers look
        return
    try:
        save_manner(published, manner)
        if (averaged := averaged_folder(published)) != published:
            save_manner(averaged, manner)
    except OSError as error:
        raise CheckpointError(f"{published / MANNER_FILE} cannot be written: {error.strerror}") from error
