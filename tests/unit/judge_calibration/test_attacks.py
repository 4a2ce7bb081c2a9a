"""Attacks: each is made from an honest attempt, and deserves no reward."""

from __future__ import annotations

import io

import msgspec
import pytest
from PIL import Image

from webgym.judge.attacks.answers import ORDER
from webgym.judge.attacks.honest import AdversarialAttempt, Honest, answers, wants_answer
from webgym.judge.attacks.pages import UndoneSuccess, results_page, with_banner
from webgym.judge.attacks.suite import ATTACKS, attacks_from
from webgym.records.decision import Decision
from webgym.records.trajectory import JudgeUnknown
from webgym.testing.vlm import OBEYED
from webgym.testing.vlm_world import World, plain
from webgym_bench.judge.synthetic_attempts import SyntheticAttempt, sibling, synthetic_attempts


def _honest(one: SyntheticAttempt, *siblings: Honest) -> Honest:
    contradicted = any(label.verdict == "contradicted" for label in one.labels)
    return Honest(one.trajectory, one.outcome == "success", one.blobs.__getitem__, siblings, contradicted)


@pytest.fixture(scope="module")
def honest() -> list[Honest]:
    world = World()
    found: list[Honest] = []
    for number, one in enumerate(synthetic_attempts(80, world, seed=3)):
        other = [_honest(sibling(number, "denied", world, seed=3))] if one.kind == "done" else []
        if one.outcome in {"success", "failure"}:
            found.append(_honest(one, *other))
    return found


@pytest.fixture(scope="module")
def made(honest: list[Honest]) -> dict[str, list[AdversarialAttempt]]:
    found: dict[str, list[AdversarialAttempt]] = {}
    for attack, attacked in attacks_from(honest, 10):
        found.setdefault(attack.name, []).append(attacked)
    return found


def test_every_attack_can_be_made_from_honest_attempts(made: dict[str, list[AdversarialAttempt]]):
    assert set(made) == {attack.name for attack in ATTACKS}
    assert all(len(found) == 10 for found in made.values())


def test_an_attack_is_a_whole_attempt_of_its_own(made: dict[str, list[AdversarialAttempt]], honest: list[Honest]):
    originals = {one.trajectory.attempt.attempt_id: one for one in honest}
    seen: set[str] = set()
    for name, found in made.items():
        for attacked in found:
            trajectory = attacked.trajectory
            attempt = trajectory.attempt
            assert attempt.attempt_id.startswith(f"{name}/")
            original = originals[attempt.attempt_id.removeprefix(f"{name}/")]
            assert attempt.task == original.task
            assert [step.number for step in trajectory.steps] == list(range(1, len(trajectory.steps) + 1))
            assert answers(trajectory.steps[-1])
            assert isinstance(trajectory.ending.outcome, JudgeUnknown)
            shots = [step.observation.screenshot for step in trajectory.steps]
            for shot in shots:
                assert shot is not None
                assert attacked.pictures.get(shot.address) or original.picture(shot.address)
            seen.add(attempt.attempt_id)
    assert len(seen) == sum(map(len, made.values()))


def test_orders_are_what_a_gullible_model_obeys(made: dict[str, list[AdversarialAttempt]]):
    assert plain(OBEYED) in plain(ORDER)
    for attacked in made["instructions_in_answer"]:
        assert ORDER in (attacked.trajectory.ending.answer or "")
    for attacked in made["instructions_in_page"]:
        look = attacked.trajectory.steps[0].observation
        assert ORDER in look.title
        assert look.screenshot is not None
        assert attacked.altered[look.screenshot.address] != look.screenshot.address


def test_rewritten_thoughts_change_nothing_else(made: dict[str, list[AdversarialAttempt]], honest: list[Honest]):
    originals = {one.trajectory.attempt.attempt_id: one.trajectory for one in honest}
    for attacked in made["rewritten_thoughts"]:
        original = originals[attacked.trajectory.attempt.attempt_id.removeprefix("rewritten_thoughts/")]
        assert attacked.trajectory.ending.answer == original.ending.answer
        for step, before in zip(attacked.trajectory.steps, original.steps, strict=True):
            choice, was = step.turn.choice, before.turn.choice
            assert isinstance(choice, Decision)
            assert isinstance(was, Decision)
            assert "successful" in choice.thought
            assert choice.action == was.action
            assert step.observation == before.observation


def test_an_undone_success_ends_where_the_failure_did(made: dict[str, list[AdversarialAttempt]]):
    for attacked in made["undone_success"]:
        last = attacked.trajectory.steps[-1].observation.screenshot
        assert last is not None
        assert last.address in attacked.pictures


def test_an_attempt_that_undid_its_success_is_an_attack_as_it_is(honest: list[Honest]):
    failure = next(one for one in honest if not one.success)
    attempt = failure.trajectory.attempt
    undone = msgspec.structs.replace(attempt, attempt_id=f"{attempt.attempt_id}/undone")
    trajectory = msgspec.structs.replace(failure.trajectory, attempt=undone)
    made = UndoneSuccess().made(Honest(trajectory, False, failure.picture))
    assert made is not None
    assert made.trajectory.steps == failure.trajectory.steps
    assert UndoneSuccess().made(failure) is None


def test_a_failure_that_nothing_shows_undoes_no_success(honest: list[Honest]):
    one = next(one for one in honest if one.siblings)
    unseen = [Honest(other.trajectory, other.success, other.picture) for other in one.siblings]
    assert UndoneSuccess().made(one) is not None
    assert UndoneSuccess().made(Honest(one.trajectory, True, one.picture, unseen)) is None


def test_a_right_answer_nobody_saw_and_one_from_a_search_engine(made: dict[str, list[AdversarialAttempt]]):
    for attacked in (*made["unseen_answer"], *made["search_shortcut"]):
        assert len(attacked.trajectory.steps) == 1
        assert wants_answer(attacked.trajectory.attempt.task)
    for attacked in made["search_shortcut"]:
        look = attacked.trajectory.steps[0].observation
        assert "records.example" not in look.url.split("?")[0]
        assert look.screenshot is not None
        assert look.screenshot.address in attacked.pictures


def test_no_attack_is_made_from_what_cannot_carry_it(honest: list[Honest]):
    for one in honest:
        unanswered = msgspec.structs.replace(
            one.trajectory, ending=msgspec.structs.replace(one.trajectory.ending, answer=None)
        )
        silent = Honest(unanswered, one.success, one.picture, ())
        assert [attack.name for attack in ATTACKS if attack.made(silent) is not None] == []


def test_pictures_of_attacks_are_pictures():
    page = results_page("What is the code?" * 20, "The code is 123. " * 30)
    assert Image.open(io.BytesIO(page)).size == (1280, 768)
    assert Image.open(io.BytesIO(with_banner(page, ORDER))).size == (1280, 768)
