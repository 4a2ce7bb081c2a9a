"""`webgym train trainer.processes=2` on real pages, and one of the two killed in between."""

from __future__ import annotations

import subprocess
from pathlib import Path

import msgspec
import psutil
import pytest
import torch
from tests.integration.test_training import ROOT, begun, command, environment, start_of, wait_for, weights_of
from tests.small_nano import SMALL

from webgym.curves.file import read
from webgym.run.training.folders import Folders
from webgym.train.process import open_trainer_process
from webgym_nano.folder import write_folder
from webgym_nano.model import new_model

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(900), pytest.mark.anyio, pytest.mark.full]


def second_rank(process: subprocess.Popen[bytes]) -> list[psutil.Process]:
    below = psutil.Process(process.pid).children(recursive=True)
    return [one for one in below if "webgym.train" in one.cmdline() and one.cmdline()[-1] == "1"]


def trained_by_two(model: Path, root: Path, log: Path) -> Folders:
    """A run of two iterations, with a trainer that loses a process after the first."""
    settings = begun(model, root, "two", "trainer.processes=2", "train.optimizer.epsilon=0.1")
    folders = Folders(root / "two")
    with log.open("wb") as file:
        process = subprocess.Popen(command(*settings), cwd=ROOT, env=environment(), stdout=file, stderr=file)
        wait_for(lambda: len(read(folders.curve)) >= 2, process)
        [second] = second_rank(process)
        second.kill()
        assert process.wait(600) == 0
    return folders


async def test_a_run_whose_second_rank_is_killed_goes_on_and_learns_what_one_process_does(tmp_path: Path):
    model, log = tmp_path / "model", tmp_path / "log"
    write_folder(model, new_model(SMALL), SMALL)
    folders = trained_by_two(model, tmp_path, log)
    said = log.read_text()
    assert "in each of 2 processes" in said
    assert "rank 1 was killed by SIGKILL" in said
    assert [one.iteration for one in read(folders.curve)] == [0, 1, 2]

    alone = start_of(folders.run, model, tmp_path / "alone")
    assert '"processes":2' in alone.settings
    alone = msgspec.structs.replace(alone, settings=alone.settings.replace('"processes":2', '"processes":1'))
    async with open_trainer_process(alone) as trainer:
        await trainer.step(folders.batch(0), 0, tmp_path / "v1")
    expected = weights_of(tmp_path / "v1")
    for name, weight in weights_of(folders.policy(1)).items():
        torch.testing.assert_close(weight, expected[name], atol=1e-3, rtol=1e-2)
