"""Try a loss and an estimator of one's own before anything is started for them."""

from __future__ import annotations

import sys
from pathlib import Path

from webgym.algorithms.advantages.trial import try_estimator
from webgym.algorithms.registry import ESTIMATORS, LOSSES
from webgym.train.recipe import GroupSource, Recipe


def check_algorithms(recipe: Recipe) -> None:
    """Try them on made-up values. What is built in needs no trial, and torch is not imported for it.

    Raises:
        ConfigError: One cannot be imported, or returns something else than expected.
    """
    source = recipe.source
    if isinstance(source, GroupSource) and (source.estimator not in ESTIMATORS or source.estimator_options):
        try_estimator(source.advantages)
    if recipe.loss.use not in LOSSES:
        from webgym.algorithms.losses.trial import try_loss  # noqa: PLC0415  slow to import

        try_loss(recipe.loss)


def modules_of(recipe: Recipe) -> tuple[str, ...]:
    """Return the folders in which the trainer looks up a loss of one's own: those where this process does."""
    return () if recipe.loss.use in LOSSES else tuple(str(Path(one or ".").absolute()) for one in sys.path)
