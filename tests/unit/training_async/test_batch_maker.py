"""Batches of an asynchronous run: nothing that lacks something, the same after a restart."""

from __future__ import annotations

import msgspec
import pytest
from tests.unit.buffer.making import PLACE, attempt, spoilt

from webgym.buffer.groups import Group, ScoredGroup, score_group
from webgym.errors import SampleError, TrainingError
from webgym.records.decision import Turn
from webgym.records.prompt import Message, Picture, Prompt
from webgym.records.trajectory import Failure, Success, Trajectory
from webgym.records.vocabulary import ImageTokens
from webgym.run.training.flow.batch_maker import BatchMaker
from webgym.run.training.folders import Folders
from webgym.train.batch_file import read_batch
from webgym.train.recipe import GroupSource


def shows(trajectory: Trajectory, address: str) -> Trajectory:
    """The same attempt, which saw another picture at its first step."""
    first = trajectory.steps[0]
    prompt = Prompt((Message("user", (Picture(address, 64, 64),)),))
    turn = Turn(first.turn.choice, prompt, first.turn.completion)
    return msgspec.structs.replace(trajectory, steps=(msgspec.structs.replace(first, turn=turn), *trajectory.steps[1:]))


def group(name: str, version: int = 0, picture: str = "sha256:p0", **first: bytes) -> ScoredGroup:
    good = spoilt(shows(attempt(f"{name}/0", Success(), group=name, version=version), picture), **first)
    scored = score_group(Group(name, (good, attempt(f"{name}/1", Failure(), group=name, version=version))), "grpo")
    assert isinstance(scored, ScoredGroup)
    return scored


def maker(folder, gone=(), lag=2, logprobs=True) -> BatchMaker:
    words = ImageTokens(PLACE, (PLACE,))
    return BatchMaker(GroupSource(max_lag=lag), words, logprobs, lambda asked: set(asked) & set(gone), Folders(folder))


def test_a_batch_says_how_old_it_is(tmp_path):
    made = maker(tmp_path).make([group("a", 3), group("b", 5)], 5)
    assert (made.lag_mean, made.lag_max, made.lacking) == (1.0, 2, 0)
    assert made.path == Folders(tmp_path).batch(5)
    assert read_batch(made.path).version == 5


def test_samples_whose_pictures_are_gone_are_left_out_and_counted_and_the_others_weigh_what_they_did(tmp_path):
    groups = [group("a", picture="sha256:lost"), group("b")]
    whole = read_batch(maker(tmp_path / "whole").make(groups, 0).path)
    made = maker(tmp_path / "less", gone={"sha256:lost"}).make(groups, 0)
    less = read_batch(made.path)
    assert made.lacking == len(whole.samples) - len(less.samples) == 1
    assert less.samples == tuple(one for one in whole.samples if "sha256:lost" not in one.pictures)
    assert maker(tmp_path / "none", gone={"sha256:lost", "sha256:p0"}).make(groups, 0) is None
    assert not Folders(tmp_path / "none").batch(0).exists()


def test_a_batch_that_was_written_stays_as_it_was(tmp_path):
    """Its trainer may have learned from it, whatever is gone by now."""
    first = maker(tmp_path).make([group("a"), group("b")], 0)
    before = first.path.read_bytes()
    again = maker(tmp_path, gone={"sha256:p0"}).make([group("a"), group("b")], 0)
    assert again == first
    assert first.path.read_bytes() == before


def test_a_group_that_is_too_old_never_becomes_a_batch(tmp_path):
    with pytest.raises(TrainingError, match="batch 5 has tokens outside a lag of 0 to 2 updates"):
        maker(tmp_path).make([group("a", 2), group("b", 5)], 5)
    assert not Folders(tmp_path).batch(5).exists()


@pytest.mark.parametrize("untold", ["versions", "logprobs"])
def test_a_reply_that_does_not_tell_all_is_left_out_and_counted_also_after_a_restart(tmp_path, untold):
    whole = read_batch(maker(tmp_path / "whole").make([group("a"), group("b")], 0).path)
    groups = [group("a", **{untold: b""}), group("b", picture="sha256:lost")]
    made = maker(tmp_path, gone={"sha256:lost"}).make(groups, 0)
    assert made.lacking == 2
    kept = read_batch(made.path).samples
    assert kept == tuple(one for one in whole.samples if (one.attempt_id, one.step) not in {("a/0", 1), ("b/0", 1)})
    assert maker(tmp_path).make(groups, 0) == made


def test_a_reply_without_versions_is_left_out_also_if_the_loss_needs_no_logprobs(tmp_path):
    """How old it is would be asked all the same."""
    made = maker(tmp_path, logprobs=False).make([group("a", versions=b"", logprobs=b""), group("b", logprobs=b"")], 0)
    assert made.lacking == 1
    assert len(read_batch(made.path).samples) == 7


@pytest.mark.parametrize(("untold", "why"), [("versions", "which weights"), ("logprobs", "gave no logprobs")])
def test_if_no_reply_tells_all_it_is_said_what_they_lack(tmp_path, untold, why):
    members = tuple(spoilt(attempt(f"a/{n}", (Success(), Failure())[n], [3]), **{untold: b""}) for n in range(2))
    with pytest.raises(SampleError, match=f"attempt a/0, step 1: .*{why}"):
        maker(tmp_path).make([score_group(Group("a", members), "grpo")], 0)
    assert not Folders(tmp_path).batch(0).exists()
