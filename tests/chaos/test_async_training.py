"""Asynchronous training whose processes are killed, one kind after the other: nothing lost, nothing learned twice."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
from tests.chaos.test_rollouts import a_chromium, over, part
from tests.integration.test_training import ROOT, begun, command, environment
from tests.small_nano import SMALL

from webgym.curves.file import read
from webgym.records.prompt import unpack_ids
from webgym.run.training.flow.settled_groups import SettledGroups
from webgym.run.training.folders import Folders
from webgym.store.read import open_run
from webgym.store.rows import Row
from webgym.train.batch_file import read_batch
from webgym_nano.folder import write_folder
from webgym_nano.model import new_model

pytestmark = [pytest.mark.chromium, pytest.mark.full, pytest.mark.timeout(1500)]

ITERATIONS = 24
LAG = 2
BACK_SECONDS = 60.0
"""After a kill there are attempts over again."""
SLACK = 2.0
"""Of a machine that does other things besides."""
SETTINGS = (
    "train.mode=async",
    f"iterations={ITERATIONS}",
    f"train.source.max_lag={LAG}",
    "train.source.members=2",
    "train.keep=99",
    "browser.nodes=2",
    "evaluate.every=4",
    "evaluate.tasks.count=3",
    "curves.serve=false",
    "monitor.serve=false",
)


class Running:
    """A training run in a process of its own: a new one, or the one that is there."""

    def __init__(self, folder: Path, model: Path, log: Path) -> None:
        self.folder = folder
        anew = begun(model, folder.parent, folder.name, *SETTINGS)
        how = ("--resume", folder) if folder.exists() else anew
        with log.open("ab") as output:
            self.process = subprocess.Popen(
                command(*how), cwd=ROOT, env=environment(), stdout=output, stderr=output, start_new_session=True
            )

    def wait_for(self, ended: int, seconds: float = 400) -> None:
        deadline = time.monotonic() + seconds
        while over(self.folder) < ended:
            assert self.process.poll() is None, "the run ended early"
            assert time.monotonic() < deadline, (
                f"{over(self.folder)} of {ended} attempts are over after {seconds:.0f} s"
            )
            time.sleep(0.3)

    def below(self, wanted: Callable[[list[str]], bool]) -> list[psutil.Process]:
        """Oldest first."""
        found: list[psutil.Process] = []
        for child in psutil.Process(self.process.pid).children(recursive=True):
            try:
                if wanted(child.cmdline()):
                    found.append(child)
            except psutil.NoSuchProcess:
                continue
        return sorted(found, key=lambda one: one.create_time())

    def engine_of_an_evaluation(self, seconds: float = 120) -> psutil.Process:
        """The younger of two engines; the other one is that of training."""
        deadline = time.monotonic() + seconds
        while len(engines := self.below(part("webgym.engine"))) < 2:
            assert time.monotonic() < deadline, "no evaluation began"
            time.sleep(0.1)
        return engines[-1]

    def kill_self(self) -> None:
        family = psutil.Process(self.process.pid).children(recursive=True)
        os.kill(self.process.pid, signal.SIGKILL)
        self.process.wait(10)
        _, alive = psutil.wait_procs(family, timeout=60)
        assert alive == [], "processes outlived the run that was killed"


@pytest.fixture
def model(tmp_path) -> Path:
    folder = tmp_path / "small"
    write_folder(folder, new_model(SMALL), SMALL)
    return folder


def test_training_survives_the_death_of_each_of_its_processes_and_its_own(model, tmp_path):
    folder, log = tmp_path / "run", tmp_path / "log"
    run = Running(folder, model, log)
    back: dict[str, float] = {}
    try:
        run.wait_for(6)
        for name, victim in (
            ("chromium", a_chromium),
            ("engine", part("webgym.engine")),
            ("trainer", part("webgym.train")),
            ("worker", part("webgym.browser.server.worker")),
            ("node", part("webgym.browser.server.node")),
            ("gateway", part("webgym.browser.server.gateway")),
            ("sites", part("webgym_hermetic")),
        ):
            run.below(victim)[0].kill()
            back[name] = back_after(run)
        run.engine_of_an_evaluation().kill()
        back["an evaluation's engine"] = back_after(run)
        before = rows_over(folder)
        run.kill_self()
        run = Running(folder, model, log)
        back["the run itself"] = back_after(run)
        after = {row.attempt_id: row for row in rows_over(folder)}
        assert all(after[row.attempt_id] == row for row in before), "what was over was lost, or made again"
        assert run.process.wait(600) == 0, log.read_text()[-3000:]
    finally:
        if run.process.poll() is None:
            run.process.send_signal(signal.SIGTERM)
            run.process.wait(60)
    print({name: round(seconds, 1) for name, seconds in back.items()})
    assert max(back.values()) < BACK_SECONDS * SLACK
    check(folder)


def back_after(run: Running) -> float:
    """Seconds until as many attempts have ended as ran when something was killed."""
    began = time.monotonic()
    run.wait_for(over(run.folder) + 5, BACK_SECONDS * SLACK)
    return time.monotonic() - began


def rows_over(folder: Path) -> list[Row]:
    with open_run(folder) as run:
        return [row for row in run.rows() if row.outcome not in {None, "cancelled"}]


def check(folder: Path) -> None:
    folders = Folders(folder)
    curve = read(folders.curve)
    assert [one.iteration for one in curve] == list(range(ITERATIONS + 1))
    assert curve[0].evaluation is not None
    assert curve[-1].evaluation is not None
    learned = [one for one in curve if one.learned is not None]
    assert [one.version for one in learned] == list(range(1, len(learned) + 1))
    settled = SettledGroups(folders).read()  # refuses groups that are in two of them
    batches = [read_batch(path) for path in sorted((folder / "batches").iterdir())]
    assert len(batches) == len(learned)
    taught = Counter((sample.attempt_id, sample.step) for batch in batches for sample in batch.samples)
    assert set(taught.values()) == {1}
    for batch in batches:
        ages = {batch.version - version for one in batch.samples for version in unpack_ids(one.versions)}
        assert ages <= set(range(LAG + 1))
    # The optimizer moved as often as the curve says: no batch was learned from twice, and none was left out.
    newest = max(int(path.name.split("-")[-1]) for path in folders.checkpoints.iterdir())
    assert newest == sum(one.learned.steps for one in learned)
    with open_run(folder) as run:
        rows = run.rows()
        assert len({row.attempt_id for row in rows}) == len(rows)
        ended = {row.group: [] for row in rows}
        for row in rows:
            ended[row.group].append(row.outcome)
    for one in settled.values():
        assert all(None not in ended[name] and len(ended[name]) == 2 for name in one.fates)
