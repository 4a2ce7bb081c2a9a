"""Export of curves to Weights & Biases. Opt-in: nothing is sent otherwise."""

from __future__ import annotations

import importlib
from typing import Any

from webgym.curves.about import RunFacts
from webgym.curves.tracker import flat
from webgym.errors import ConfigError
from webgym.records.curve import Iteration


class WandB:
    """A `Tracker` that logs to Weights & Biases. Login and host are configured in wandb itself.

    Raises:
        ConfigError: wandb is not installed.
    """

    def __init__(self, project: str, about: RunFacts) -> None:
        try:
            library: Any = importlib.import_module("wandb")
        except ImportError as error:
            raise ConfigError("curves at Weights & Biases need the package wandb: pip install wandb") from error
        self._run: Any = library.init(project=project, name=about.run, config=dict(about.facts))
        self._newest = 0

    def write(self, iteration: Iteration) -> None:
        figures = flat(iteration)
        if iteration.iteration < self._newest:  # a late evaluation: wandb steps cannot go back
            del figures["version"]  # it would overwrite the newest iteration's
            figures["evaluation/iteration"] = iteration.iteration
        self._newest = max(self._newest, iteration.iteration)
        self._run.log(figures, step=self._newest)

    def close(self) -> None:
        self._run.finish()
