"""Asynchronous training as users start it: real sites, real Chromium, a real engine and trainer, all at once."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import msgspec
import pytest
from tests.integration.test_training import begun, evaluations_are_made_later, start_of, webgym
from tests.small_nano import SMALL

from webgym.curves.file import read
from webgym.engine.checkpoint import weights_digest
from webgym.records.prompt import unpack_ids
from webgym.run.training.flow.settled_groups import SettledGroups
from webgym.run.training.folders import Folders
from webgym.store.read import open_run
from webgym.store.weights_manner import load_manner
from webgym.train.batch_file import read_batch, write_batch
from webgym.train.process import open_trainer_process
from webgym_nano.folder import write_folder
from webgym_nano.model import new_model

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(400)]
LAG = 1
FLOWING = (
    "train.mode=async",
    f"train.source.max_lag={LAG}",
    "train.source.members=2",
    "iterations=2",
    "evaluate.tasks.count=1",
    "curves.serve=false",
    "monitor.serve=false",
)


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "small"
    write_folder(folder, new_model(SMALL), SMALL)
    return folder


@pytest.fixture(scope="module")
def run(model, tmp_path_factory) -> Path:
    root = tmp_path_factory.mktemp("runs")
    said = webgym(*begun(model, root, "flowing", *FLOWING), "--json")
    assert json.loads(said.stdout)["path"] == str(root / "flowing")
    return root / "flowing"


def test_every_iteration_learns_beside_its_rollouts_and_says_how_it_flowed(run, model):
    folders = Folders(run)
    curve = read(folders.curve)
    assert [one.iteration for one in curve] == [0, 1, 2]
    learned = [one for one in curve if one.learned is not None]
    assert [one.version for one in learned] == list(range(1, len(learned) + 1))
    for one in curve[1:]:
        assert {"wait", "batch"} <= one.seconds.keys()
        assert 0 <= one.flow.lag_mean <= one.flow.lag_max <= LAG
        assert all(0 <= share <= 1 for share in one.flow.idle.values())
    assert all({"learn", "publish"} <= one.seconds.keys() for one in learned)
    digests = {weights_digest(path) for path in (model, *(folders.policy(one.version) for one in learned))}
    assert len(digests) == len(learned) + 1
    assert folders.report.read_text("utf-8").startswith("<!doctype html>")
    carried = [load_manner(folders.policy(one.version)) for one in learned]
    assert all(one and one.settings["browser"] == {"width": 448, "height": 320} for one in carried)


def test_nothing_too_old_and_nothing_twice_was_learned_from(run):
    folders = Folders(run)
    settled = SettledGroups(folders).read()
    batches = [read_batch(path) for path in sorted((run / "batches").iterdir())]
    assert batches
    steps = Counter((one.attempt_id, one.step) for batch in batches for one in batch.samples)
    assert set(steps.values()) == {1}
    for batch in batches:
        ages = {batch.version - version for one in batch.samples for version in unpack_ids(one.versions)}
        assert ages <= set(range(LAG + 1))
        assert all(one.logprobs for one in batch.samples)  # decoupled PPO needs those of the weights that sampled
        [of_batch] = [one for one in settled.values() if one.version == batch.version and one.groups]
        assert {one.group for one in batch.samples} <= set(of_batch.groups)


def test_evaluations_are_pinned_to_the_weights_they_are_about_and_to_unseen_websites(run):
    folders = Folders(run)
    curve = read(folders.curve)
    with open_run(run) as trained:
        seen = {row.site for row in trained.rows()}
    for iteration in (0, 2):
        assert curve[iteration].evaluation.tasks == 1
        with open_run(folders.evaluation(iteration)) as tested:
            assert seen.isdisjoint(row.site for row in tested.rows())
            versions = {
                version
                for trajectory in tested.trajectories()
                for step in trajectory.steps
                for version in unpack_ids(step.turn.completion.tokens.versions)
            }
        assert versions == {curve[iteration].version}


@pytest.mark.full
def test_evaluations_that_were_put_off_are_made_when_it_is_resumed(model, tmp_path):
    evaluations_are_made_later(model, tmp_path, *FLOWING)


@pytest.mark.full
def test_a_run_that_is_over_has_nothing_left_to_do(run):
    before = (run / "curve.jsonl").read_bytes()
    webgym("--resume", run)
    assert (run / "curve.jsonl").read_bytes() == before


@pytest.mark.full
@pytest.mark.anyio
async def test_a_picture_that_is_gone_leaves_out_its_sample_and_ends_no_training(run, model, tmp_path):
    batch = read_batch(min((run / "batches").iterdir()))
    lost = msgspec.structs.replace(batch.samples[0], pictures=("sha256:lost",))
    write_batch(tmp_path / "lost.msgpack", msgspec.structs.replace(batch, samples=(lost, *batch.samples[1:])))
    async with open_trainer_process(start_of(run, model, tmp_path / "checkpoints")) as trainer:
        trained = await trainer.step(tmp_path / "lost.msgpack", 0, tmp_path / "v1")
    assert trained.rows == len(batch.samples) - 1
    assert trained.figures["lacking"] == 1
