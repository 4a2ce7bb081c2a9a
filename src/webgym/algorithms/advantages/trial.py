"""A trial of an estimator on made-up groups."""

from __future__ import annotations

from collections.abc import Sequence

from webgym.algorithms.advantages.chosen import SETTING
from webgym.algorithms.advantages.estimated import estimated
from webgym.algorithms.advantages.estimator import Estimator, Member
from webgym.errors import ConfigError

_GROUPS: Sequence[Sequence[Member]] = (
    (Member(1.0, ("a", "b")), Member(0.0, ("a", "c", "d")), Member(0.0, ("a",))),
    (Member(1.0, ("",)), Member(0.5, ("",))),
)


def try_estimator(estimator: Estimator) -> None:
    """Ask for the advantages of two groups.

    Raises:
        ConfigError: It raised an error, or returned something else.
    """
    for members in _GROUPS:
        try:
            estimated(estimator, members)
        except ConfigError:
            raise
        except Exception as error:
            rewards = [member.reward for member in members]
            raise ConfigError(f"{SETTING} = {estimator.name!r} fails for the rewards {rewards}: {error!r}") from error
