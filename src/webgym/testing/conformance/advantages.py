"""What every advantage estimator must do."""

from __future__ import annotations

import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from webgym.algorithms.advantages.chosen import as_estimator
from webgym.algorithms.advantages.estimated import estimated
from webgym.algorithms.advantages.estimator import Estimate, Estimator, Member
from webgym.errors import ConfigError
from webgym.testing.conformance.checking import bounded

_CLOSE = 1e-9
_WORTHS = (0.0, 1.0, 0.0, 1.0, 0.25, 1 / 3)
"""Rewards that occur, also with partial credit and branches."""


@dataclass(frozen=True, slots=True)
class AdvantageExample:
    """How to exercise an estimator."""

    options: dict[str, Any] = field(default_factory=dict[str, Any])
    """`train.source.estimator_options`."""
    groups: int = 40
    """Number of groups to try."""


AdvantageCheck = Callable[[Estimate | Estimator, AdvantageExample], Awaitable[None]]


async def every_member_has_an_advantage(estimate: Estimate | Estimator, example: AdvantageExample) -> None:
    """It returns a finite number for each member, or if it says so for each of its steps, in groups of any size."""
    for members in [*_groups(example), [Member(1.0, ("a",))], [Member(0.0, ("a",)), Member(1e-6, ("a",))]]:
        _asked(estimate, example, members)
    _asked(estimate, example, [Member(float(place == 0), ("a", "b")) for place in range(512)])


async def the_order_of_members_does_not_matter(estimate: Estimate | Estimator, example: AdvantageExample) -> None:
    """If the members change places, so do their advantages, and nothing else."""
    for number, members in enumerate(_groups(example)):
        order = list(range(len(members)))
        random.Random(number).shuffle(order)  # noqa: S311 (must be repeatable, not secret)
        found = _asked(estimate, example, members)
        moved = _asked(estimate, example, [members[place] for place in order])
        assert _near(moved, [found[place] for place in order]), (
            f"for the rewards {_rewards(members)} it gives {found}, and in the order {order} it gives {moved}"
        )


async def groups_do_not_influence_each_other(estimate: Estimate | Estimator, example: AdvantageExample) -> None:
    """A group has the same advantages whatever groups came before."""
    groups = _groups(example)
    found = [_asked(estimate, example, members) for members in groups]
    for members, before in zip(reversed(groups), reversed(found), strict=True):
        after = _asked(estimate, example, members)
        assert _near(after, before), (
            f"for the rewards {_rewards(members)} it gives {before}, and after other groups {after}"
        )


async def equal_members_have_no_advantage(estimate: Estimate | Estimator, example: AdvantageExample) -> None:
    """If all members did the same and have the same reward, all advantages are 0, unless it compares no members."""
    if isinstance(estimate, Estimator) and not estimate.compares:
        return
    for reward in (0.0, 1.0, 0.25, 1 / 3):
        for count in (2, 3, 8):
            found = _asked(estimate, example, [Member(reward, ("a", "b", "c"))] * count)
            assert _near(found, [_nothing(value) for value in found]), (
                f"{count} members with the reward {reward:g} have the advantages {found}, not 0: an estimator that "
                "compares no members is declared with @estimator(compares=False)"
            )


def _groups(example: AdvantageExample) -> list[list[Member]]:
    """Groups with different rewards and lengths, and states that several members share."""
    chance = random.Random(22)  # noqa: S311 (must be repeatable, not secret)
    found: list[list[Member]] = []
    for _ in range(example.groups):
        members = [
            Member(chance.choice(_WORTHS), ("start", *(chance.choice("abcd") for _ in range(chance.randrange(5)))))
            for _ in range(chance.randint(2, 9))
        ]
        found.append(members)
    return found


def _asked(
    estimate: Estimate | Estimator, example: AdvantageExample, members: Sequence[Member]
) -> Sequence[float | tuple[float, ...]]:
    try:
        return estimated(as_estimator(estimate, example.options), members)
    except ConfigError as error:
        raise AssertionError(str(error)) from error
    except Exception as error:
        raise AssertionError(f"for the rewards {_rewards(members)} it raised {error!r}") from error


def _near(one: Sequence[float | tuple[float, ...]], other: Sequence[float | tuple[float, ...]]) -> bool:
    pairs = zip(_flat(one), _flat(other), strict=True)
    return all(abs(here - there) <= _CLOSE * max(1.0, abs(here), abs(there)) for here, there in pairs)


def _flat(found: Sequence[float | tuple[float, ...]]) -> list[float]:
    return [number for value in found for number in (value if isinstance(value, tuple) else (value,))]


def _nothing(one: float | tuple[float, ...]) -> float | tuple[float, ...]:
    return (0.0,) * len(one) if isinstance(one, tuple) else 0.0


def _rewards(members: Sequence[Member]) -> list[float]:
    return [round(member.reward, 3) for member in members]


ADVANTAGE_CHECKS: tuple[AdvantageCheck, ...] = bounded(
    every_member_has_an_advantage,
    the_order_of_members_does_not_matter,
    groups_do_not_influence_each_other,
    equal_members_have_no_advantage,
)
