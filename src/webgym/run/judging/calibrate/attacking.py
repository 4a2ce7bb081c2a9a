"""Builds attacks from the labelled attempts of a run, stored as a run that can be judged and viewed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from webgym.errors import BlobGone
from webgym.judge.attacks.honest import AdversarialAttempt, Attack, Honest
from webgym.judge.attacks.suite import ATTACKS, attacks_from
from webgym.judge.calibration.labelled import KnownAttempt, LabelledAttempt, write_labelled
from webgym.records.label import Label
from webgym.records.trajectory import Trajectory
from webgym.store.read import Run

_MORE = 4
"""Attempts considered per attack wanted, as not every attack can be built from every attempt."""
WHO = "attack"


@dataclass(frozen=True, slots=True)
class StoredAttack:
    """An attack, and the attempt it was stored as."""

    attack: str
    attempt_id: str
    task_id: str


async def write_attacks(run: Run, found: Sequence[KnownAttempt], most: int, folder: Path) -> list[StoredAttack]:
    """Write up to `most` instances of each attack as a run in this folder, keeping those already there.

    Raises:
        StoreError: The folder holds another run.
    """
    made: list[StoredAttack] = []

    def items() -> Iterator[LabelledAttempt]:
        for attack, attacked in attacks_from(_honest(run, found, most), most):
            made.append(_made(attack, attacked))
            yield _labelled(run, attacked)

    await write_labelled(folder, f"{run.name}-attacks", items())
    return made


def about_attacks() -> dict[str, str]:
    """Return what each attack tries, by name."""
    return {attack.name: attack.about for attack in ATTACKS}


def _honest(run: Run, found: Sequence[KnownAttempt], most: int) -> list[Honest]:
    """Return enough attempts of known success, both successes and failures, each with siblings at the same task."""
    usable = [one for one in found if one.answered and one.truth.success is not None]
    of_task: dict[str, list[KnownAttempt]] = defaultdict(list)
    for one in usable:
        of_task[one.task.task_id].append(one)
    # Tasks with both a success and a failure first: more attacks can be built from them.
    usable.sort(key=lambda one: len({other.truth.success for other in of_task[one.task.task_id]}) < 2)
    chosen = [
        one
        for success in (True, False)
        for one in [each for each in usable if each.truth.success is success][: _MORE * most]
    ]
    return [_one(run, one, of_task[one.task.task_id]) for one in chosen if _whole(run, one.attempt_id)]


def _one(run: Run, one: KnownAttempt, siblings: Sequence[KnownAttempt]) -> Honest:
    others = [other for other in siblings if other.attempt_id != one.attempt_id and _whole(run, other.attempt_id)]
    return _alone(run, one, [_alone(run, other) for other in others[:_MORE]])


def _alone(run: Run, one: KnownAttempt, siblings: Sequence[Honest] = ()) -> Honest:
    contradicted = bool(one.truth.contradicted)
    return Honest(run.trajectory(one.attempt_id), bool(one.truth.success), run.blob, siblings, contradicted)


def _made(attack: Attack, attacked: AdversarialAttempt) -> StoredAttack:
    attempt = attacked.trajectory.attempt
    return StoredAttack(attack.name, attempt.attempt_id, attempt.task.task_id)


def _labelled(run: Run, attacked: AdversarialAttempt) -> LabelledAttempt:
    pictures = dict(attacked.pictures)
    for address in _addresses(attacked.trajectory):
        if address not in pictures:
            pictures[address] = run.blob(address)
    label = Label(attacked.trajectory.attempt.attempt_id, "failure", WHO, 0.0, note="does not deserve a reward")
    return LabelledAttempt(attacked.trajectory, pictures, (label,))


def _whole(run: Run, attempt_id: str) -> bool:
    """Whether all of its screenshots are still stored."""
    try:
        return all(run.blob(address) for address in _addresses(run.trajectory(attempt_id)))
    except BlobGone:
        return False


def _addresses(trajectory: Trajectory) -> set[str]:
    shots = [step.observation.screenshot for step in trajectory.steps]
    return {shot.address for shot in shots if shot is not None}
