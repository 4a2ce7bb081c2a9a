"""Training as users start it: real sites, real Chromium, a real engine and trainer, killed and resumed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import anyio
import psutil
import pytest
from tests.child_environment import child_environment
from tests.small_nano import SMALL

from webgym.cli.failures import ExitCode
from webgym.cli.main import main
from webgym.curves.file import read
from webgym.engine.checkpoint import weights_digest
from webgym.errors import ModelError, SampleError, TrainingError
from webgym.records.prompt import unpack_ids
from webgym.records.sample import Batch
from webgym.run.config import RunConfig
from webgym.run.load import config_from_as, load_with_notes
from webgym.run.training.config import TrainConfig
from webgym.run.training.folders import Folders
from webgym.store.meta import load_meta
from webgym.store.read import open_run
from webgym.train.batch_file import read_batch, write_batch
from webgym.train.messages import TrainerStart
from webgym.train.process import open_trainer_process
from webgym_nano.folder import write_folder
from webgym_nano.model import new_model

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(400), pytest.mark.anyio]
ROOT = Path(__file__).parents[2]
SETTINGS = (
    "iterations=2",
    "evaluate.every=0",
    "evaluate.tasks.count=2",
    "train.source.groups=2",
    "train.source.members=3",
    "train.lr=1e-3",
    "train.keep=9",
    "browser.sessions=4",
    "browser.width=448",
    "browser.height=320",
    "agent.dialect=tests.guessing:BLURTING",
    "agent.prompt=bare-1",
    "agent.rounds=0",
    "judge.use=tests.guessing:Coin",
    "policy.max_tokens=16",
    "policy.threads=1",
    "trainer.device=cpu",
    "trainer.precision=float32",
)


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "small"
    write_folder(folder, new_model(SMALL), SMALL)
    return folder


def command(*arguments: object) -> list[str]:
    return [sys.executable, "-m", "webgym", "train", *map(str, arguments)]


def environment() -> dict[str, str]:
    return child_environment(COLUMNS="200")


def webgym(*arguments: object) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        command(*arguments), check=False, cwd=ROOT, capture_output=True, text=True, timeout=360, env=environment()
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done


@pytest.fixture
def refused(monkeypatch, capsys):
    """What the command says against being started so: in this process, which has loaded all that it loads."""

    def start(*arguments: object) -> str:
        monkeypatch.setenv("COLUMNS", "200")
        monkeypatch.setattr(sys, "argv", ["webgym", "train", *map(str, arguments)])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code == ExitCode.CONFIGURATION
        return capsys.readouterr().err

    return start


def begun(model: Path, root: Path, name: str, *more: str) -> tuple[str, ...]:
    return (f"policy.model='{model}'", f"store.root='{root}'", f"name={name}", *SETTINGS, *more)


@pytest.fixture(scope="module")
def run(model, tmp_path_factory) -> tuple[Path, dict]:
    """A run of two iterations, and what it said of itself."""
    root = tmp_path_factory.mktemp("runs")
    said = webgym(*begun(model, root, "whole"), "--json")
    return root / "whole", json.loads(said.stdout)


def test_a_run_learns_and_leaves_its_curve_its_weights_and_a_report(run, model):
    folder, said = run
    folders = Folders(folder)
    curve = read(folders.curve)
    assert [one.iteration for one in curve] == [0, 1, 2]
    assert said["path"] == str(folder)
    learned = [one for one in curve if one.learned is not None]
    assert learned
    assert [one.version for one in learned] == list(range(1, len(learned) + 1))
    assert all({"collect", "sleep", "learn", "wake"} <= one.seconds.keys() for one in learned)
    assert all(one.learned.figures["grad_norm"] > 0 and one.learned.steps == 6 for one in learned)
    digests = {weights_digest(path) for path in (model, *(folders.policy(one.version) for one in learned))}
    assert len(digests) == len(learned) + 1  # every update moved the weights
    assert curve[0].evaluation.tasks == curve[-1].evaluation.tasks == 2
    assert folders.report.read_text("utf-8").startswith("<!doctype html>")
    assert list(folders.tensorboard.iterdir())


def test_its_weights_take_along_what_they_were_trained_to_see_and_say(run, tmp_path):
    folder, said = run
    newest = said["iterations"][-1]["version"]
    elsewhere = Path(shutil.copytree(Folders(folder).policy(newest), tmp_path / "elsewhere"))
    found = load_with_notes(
        RunConfig, overrides=[f"policy.model='{elsewhere}'", "agent.dialect=tests.guessing:BLURTING"]
    )
    trained = config_from_as(TrainConfig, load_meta(folder).config)
    assert not found.notes
    assert found.config.agent == trained.agent
    assert (found.config.browser.width, found.config.policy.max_tokens) == (448, 16)
    assert found.config.limits == trained.evaluate.limits


def evaluations_are_made_later(model: Path, root: Path, *more: str) -> None:
    """Trained without evaluations; then made without anything that only the trainer has."""
    folder = root / "unseen"
    said = webgym(*begun(model, root, "unseen", "evaluate.later=true", "train.keep=1", "evaluate.every=1", *more))
    assert f"webgym train --resume {folder} evaluate.later=false" in said.stdout
    folders = Folders(folder)
    before = read(folders.curve)
    assert [one.iteration for one in before] == [1, 2]
    assert not any(one.evaluation for one in before)
    shutil.rmtree(folders.checkpoints, ignore_errors=True)
    said = webgym("--resume", folder, "evaluate.later=false")
    after = read(folders.curve)
    assert [one.iteration for one in after] == [0, 1, 2]
    assert all(one.evaluation.tasks == 1 for one in after)
    assert [one.seconds for one in after[1:]] == [one.seconds for one in before]
    assert "unseen websites: " in said.stdout
    for one in after:
        with open_run(folders.evaluation(one.iteration)) as tested:
            steps = [step for trajectory in tested.trajectories() for step in trajectory.steps]
            versions = {version for step in steps for version in unpack_ids(step.turn.completion.tokens.versions)}
        assert versions == {one.version}


@pytest.mark.full
def test_evaluations_that_were_put_off_are_made_when_it_is_resumed(model, tmp_path):
    evaluations_are_made_later(model, tmp_path, "evaluate.tasks.count=1", "curves.serve=false", "monitor.serve=false")


def test_every_token_was_sampled_by_the_weights_that_learned_from_it(run):
    folders = Folders(run[0])
    batches = sorted((run[0] / "batches").iterdir())
    assert batches
    for path in batches:
        batch = read_batch(path)
        assert batch == read_batch(folders.batch(batch.version))
        assert {version for one in batch.samples for version in unpack_ids(one.versions)} == {batch.version}


def test_no_website_is_both_trained_and_tested_on(run, refused):
    folders = Folders(run[0])
    with open_run(run[0]) as trained, open_run(folders.evaluation(0)) as tested:
        assert {row.site for row in trained.rows()}.isdisjoint({row.site for row in tested.rows()})
    said = refused(*begun(Path("anywhere"), run[0].parent, "same", "evaluate.tasks.split=train"))
    assert "in both training and test tasks" in said


def start_of(run: Path, model: Path, checkpoints: Path) -> TrainerStart:
    config = config_from_as(TrainConfig, load_meta(run).config)
    return TrainerStart(
        str(model),
        config.train.whole().model_dump_json(),
        config.trainer.model_dump_json(),
        str(run),
        str(checkpoints),
    )


async def test_a_killed_trainer_ends_bit_equal_to_one_that_was_not(run, model, tmp_path):
    """From the stored trajectories of the run above, whose last weights are those of a trainer that was not killed."""
    folders = Folders(run[0])
    batches = sorted((run[0] / "batches").iterdir())
    async with open_trainer_process(start_of(run[0], model, tmp_path / "checkpoints")) as trainer:
        for version, batch in enumerate(batches):
            async with anyio.create_task_group() as tasks:
                await trainer.ready()
                if version == len(batches) - 1:
                    tasks.start_soon(kill_soon, trainer.pid)
                trained = await trainer.step(batch, version, tmp_path / f"v{version + 1}")
            assert trained.policy.digest == weights_digest(folders.policy(version + 1))
        assert trainer.restarts == 1
        again = await trainer.step(batches[-1], len(batches) - 1, tmp_path / "again")
        assert again == trained  # learned once, however often it is asked
        assert weights_digest(tmp_path / "again") == trained.policy.digest


async def kill_soon(pid: int) -> None:
    await anyio.sleep(0.05)
    os.kill(pid, signal.SIGKILL)


@pytest.mark.full
async def test_what_is_wrong_with_a_batch_is_told_and_the_last_checkpoint_kept(run, model, tmp_path):
    batch = read_batch(min((run[0] / "batches").iterdir()))
    write_batch(tmp_path / "empty.msgpack", Batch((), 0))
    (tmp_path / "torn.msgpack").write_bytes((run[0] / "batches" / "00000.msgpack").read_bytes()[:100])
    write_batch(tmp_path / "whole.msgpack", batch)
    async with open_trainer_process(start_of(run[0], model, tmp_path / "checkpoints")) as trainer:
        with pytest.raises(SampleError, match="empty"):
            await trainer.step(tmp_path / "empty.msgpack", 0, tmp_path / "v1")
        with pytest.raises(Exception, match="cannot be read"):
            await trainer.step(tmp_path / "torn.msgpack", 0, tmp_path / "v1")
        with pytest.raises(TrainingError, match="version 4 was requested"):
            await trainer.step(tmp_path / "whole.msgpack", 4, tmp_path / "v1")
        assert (await trainer.step(tmp_path / "whole.msgpack", 0, tmp_path / "v1")).policy.version == 1
        write_batch(tmp_path / "next.msgpack", Batch((), 1))
        with pytest.raises(SampleError):
            await trainer.step(tmp_path / "next.msgpack", 1, tmp_path / "v2")
        assert (await trainer.ready()).version == 1


async def test_a_model_that_is_not_there_is_told_before_anything_is_tried(run, tmp_path):
    async with open_trainer_process(start_of(run[0], tmp_path / "nowhere", tmp_path / "checkpoints")) as trainer:
        with pytest.raises(ModelError, match="nowhere"):
            await trainer.ready()


def test_a_model_that_is_not_there_is_told_in_one_line(refused, tmp_path):
    said = refused(*begun(tmp_path / "nowhere", tmp_path, "none"))
    assert "nowhere" in said
    assert "Traceback" not in said


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_loss_of_another_signature_is_told_before_the_run_exists(refused, model, tmp_path, mode):
    use = "train.loss.use=examples.own_loss:spo"
    said = refused(*begun(model, tmp_path, "none", f"train.mode={mode}", use, "train.loss.options.size=1"))
    assert "expected is a function that is called as f(tokens, size=…)" in said
    assert not (tmp_path / "none").exists()


@pytest.mark.full
def test_a_run_that_is_killed_goes_on_where_it_was(run, model, tmp_path):
    arguments = begun(model, tmp_path, "killed")
    folders = Folders(tmp_path / "killed")
    process = subprocess.Popen(command(*arguments), cwd=ROOT, env=environment(), stdout=subprocess.DEVNULL)
    wait_for(lambda: len(read(folders.curve)) >= 2, process)
    below = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait(30)
    psutil.wait_procs(below, timeout=30)

    webgym("--resume", tmp_path / "killed")
    curve = read(folders.curve)
    assert [one.iteration for one in curve] == [0, 1, 2]
    with open_run(tmp_path / "killed") as killed, open_run(run[0]) as whole:
        rows = killed.rows()
        assert len({row.attempt_id for row in rows}) == len(rows)
        assert all(row.outcome is not None for row in rows)
        # The same tasks are drawn whether or not someone stops in between.
        first = {row.attempt_id for row in rows if row.attempt_id.startswith("00001/")}
        assert first == {row.attempt_id for row in whole.rows() if row.attempt_id.startswith("00001/")}


@pytest.mark.full
def test_a_learning_rate_of_0_moves_nothing_and_a_run_can_stop_in_between(model, tmp_path):
    webgym(*begun(model, tmp_path, "still", "train.lr=0"), "--until", 1)
    folders = Folders(tmp_path / "still")
    [_, one] = read(folders.curve)
    assert one.version == 1
    assert one.learned.lr == 0
    before, after = weights_of(model), weights_of(folders.policy(1))
    assert all((before[name] == after[name]).all() for name in before)


@pytest.mark.full
def test_a_trainer_of_ones_own_is_found_by_its_name(model, tmp_path):
    webgym(*begun(model, tmp_path, "own", "train.use=examples.own_trainer:Still"), "--until", 1)
    folders = Folders(tmp_path / "own")
    [_, one] = read(folders.curve)
    assert (one.version, one.learned.steps) == (1, 0)
    assert one.learned.figures["mean_advantage"] == pytest.approx(0, abs=1)
    assert weights_digest(folders.policy(1)) == weights_digest(model)


def weights_of(folder: Path) -> dict:
    from safetensors.torch import load_file

    return load_file(folder / "model.safetensors")


def wait_for(condition, process: subprocess.Popen, seconds: float = 240) -> None:
    give_up = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None
        assert time.monotonic() < give_up
        time.sleep(0.1)
