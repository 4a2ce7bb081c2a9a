"""How many iterations a run was last asked for, which a resume may change."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from tests.unit.store.making import META

from webgym.errors import WebGymError
from webgym.run.about import about_run
from webgym.run.choose import RunRequest, choose
from webgym.run.progress import NoProgress
from webgym.run.train import train
from webgym.run.train_config import TrainConfig
from webgym.store.meta import save_meta

pytestmark = pytest.mark.anyio


def begun(folder: Path, iterations: int) -> Path:
    folder.mkdir()
    config = f'iterations = {iterations}\npolicy.model = "{folder}/nowhere"\ntasks.count = 2\nevaluate.tasks.count = 2'
    save_meta(folder, msgspec.structs.replace(META, name=folder.name, kind="train", config=config))
    return folder


async def resumed(folder: Path, *overrides: str) -> None:
    """Resume a run until its model is looked for, which is nowhere."""
    config = choose("train", TrainConfig, RunRequest(resume=folder, overrides=overrides)).config
    with pytest.raises(WebGymError, match="nowhere"):
        await train(config, folder, None, NoProgress(), config.iterations)


def test_before_any_resume_it_is_what_the_run_was_begun_with(tmp_path: Path):
    assert about_run(begun(tmp_path / "learned", 40)).planned == 40


@pytest.mark.parametrize("iterations", [5, 60])
async def test_a_resume_with_other_iterations_is_what_counts(tmp_path: Path, iterations: int):
    folder = begun(tmp_path / "learned", 40)
    await resumed(folder, f"iterations={iterations}")
    assert about_run(folder).planned == iterations
    await resumed(folder)
    assert about_run(folder).planned == 40


def test_what_cannot_be_read_counts_for_nothing(tmp_path: Path):
    folder = begun(tmp_path / "learned", 40)
    (folder / "planned.json").write_text("")
    assert about_run(folder).planned == 40
