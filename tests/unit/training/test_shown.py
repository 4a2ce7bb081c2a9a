"""The monitor of a training run can look into attempts of an evaluation also when it is over."""

from __future__ import annotations

import shutil
from contextlib import closing
from pathlib import Path

import pytest
from tests.unit.store.making import META, attempt, picture, step

from webgym.records.observation import address_of
from webgym.run.shown import AttemptArchive
from webgym.store.write import RunWriter, open_writer

pytestmark = pytest.mark.anyio


async def attempted(writer: RunWriter, number: int) -> None:
    """One attempt of one step, with its picture."""
    done, blobs = step(1, picture_seed=number)
    await writer.begin(attempt(number))
    await writer.step(attempt(number), done, blobs)


def sees(shown: AttemptArchive, number: int) -> bool:
    data = picture(number)
    return shown.blob(address_of(data)) == data and len(shown.steps(attempt(number).attempt_id)) == 1


async def test_attempts_of_training_and_of_the_evaluation_before_are_shown_and_of_one_that_runs(tmp_path: Path):
    async with open_writer(tmp_path / "run", META) as training:
        with closing(AttemptArchive(training)) as shown:
            await attempted(training, 1)
            assert not sees(shown, 2)
            for number, name in ((2, "first"), (3, "second")):
                async with open_writer(tmp_path / name, META) as evaluating:
                    shown.write(evaluating)
                    await attempted(evaluating, number)
                    assert sees(shown, number)
                    shown.write(None)
                assert sees(shown, number)
                assert sees(shown, 1)
            assert not sees(shown, 2)  # of the one before the last
            assert shown.steps("never-begun") == ()
            assert shown.blob(address_of(b"never stored")) is None


async def test_an_evaluation_that_was_removed_shows_nothing_and_breaks_nothing(tmp_path: Path):
    async with open_writer(tmp_path / "run", META) as training:
        with closing(AttemptArchive(training)) as shown:
            async with open_writer(tmp_path / "gone", META) as evaluating:
                shown.write(evaluating)
                await attempted(evaluating, 2)
                shown.write(None)
            shutil.rmtree(tmp_path / "gone")
            assert not sees(shown, 2)
