"""Curves at Weights & Biases, for those who want them there: nothing goes out unless this is asked for."""

from __future__ import annotations

import importlib
from typing import Any

from webgym.curves.about import About
from webgym.curves.tracker import flat
from webgym.errors import ConfigError
from webgym.records.curve import Iteration


class WandB:
    """A `Tracker` that logs to a run at Weights & Biases; who is logged in, and to where, is wandb's own business.

    Raises:
        ConfigError: wandb is not installed.
    """

    def __init__(self, project: str, about: About) -> None:
        try:
            library: Any = importlib.import_module("wandb")
        except ImportError as error:
            raise ConfigError("curves at Weights & Biases need the package wandb: pip install wandb") from error
        self._run: Any = library.init(project=project, name=about.run, config=dict(about.facts))
        self._newest = 0

    def write(self, iteration: Iteration) -> None:
        figures = flat(iteration)
        if iteration.iteration < self._newest:  # an evaluation that came late: steps there never go back
            del figures["version"]  # which would take the place of the newest one's
            figures["evaluation/iteration"] = iteration.iteration
        self._newest = max(self._newest, iteration.iteration)
        self._run.log(figures, step=self._newest)

    def close(self) -> None:
        self._run.finish()
