"""`webgym demo` as newcomers start it: real sites, Chromium, engine and trainer; a smaller policy, taught nothing."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import msgspec
import pytest
from tests.child_environment import child_environment
from tests.small_nano import SMALL
from webgym_hermetic.catalogue import site_named, sites
from webgym_hermetic.registry import FAMILIES
from webgym_hermetic.tasks.generate import tasks_of

from webgym.cli.failures import ExitCode
from webgym.curves.file import read
from webgym.run.load import config_from_as
from webgym.run.training.about import about_run
from webgym.run.training.config import TrainConfig
from webgym.run.training.folders import Folders
from webgym.store.meta import load_meta
from webgym.store.read import find_runs, open_run
from webgym_nano.folder import write_folder
from webgym_nano.model import new_model

pytestmark = [pytest.mark.chromium, pytest.mark.timeout(300)]
ROOT = Path(__file__).parents[4]
SETTINGS = (
    "train.source.groups=2",
    "train.source.members=3",
    "train.lr=1e-3",
    "tasks.count=6",
    "browser.sessions=4",
    "agent.dialect=tests.guessing:BLURTING",
    "agent.prompt=bare-1",
    "judge.use=tests.guessing:Turns",
    "policy.max_tokens=16",
    "policy.threads=1",
    "policy.device=cpu",
    "trainer.device=cpu",
    "evaluate.tasks.use=file",
)


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("models") / "small"
    write_folder(folder, new_model(SMALL), SMALL)
    return folder


@pytest.fixture(scope="module")
def suite(tmp_path_factory) -> Path:
    unseen = [one for one in sites(20, ("shop",)) if one.split == "test"]
    tasks = [task for one in unseen for task in tasks_of(one, 12)]
    path = tmp_path_factory.mktemp("suite") / "suite.jsonl"
    path.write_bytes(b"".join(msgspec.json.encode(task) + b"\n" for task in tasks))
    return path


def command(model: Path, suite: Path, out: Path, minutes: float) -> list[str]:
    options = ("--model", str(model), "--out", str(out), "--minutes", str(minutes))
    return [sys.executable, "-m", "webgym", "demo", *options, *SETTINGS, f"evaluate.tasks.file='{suite}'"]


ENVIRONMENT = child_environment(COLUMNS="200")


@pytest.fixture(scope="module")
def ran(model, suite, tmp_path_factory) -> tuple[Path, str]:
    """A demo that may take half a minute, and what it said."""
    out = tmp_path_factory.mktemp("runs") / "demo"
    done = subprocess.run(
        command(model, suite, out, 0.5),
        check=False,
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=240,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return out, done.stdout


def test_before_and_after_are_told_as_counts_because_the_tasks_are_few(ran):
    _, said = ran
    assert re.search(r"^this run +\d+ solved +\d+ solved +\d+ +\d+ attempts", said, re.MULTILINE), said
    assert re.search(r"^\d+ tasks are too few to say whether that is a change: it takes 60", said, re.MULTILINE)
    assert re.search(r"^before: \d+ of \d+ tasks solved", said, re.MULTILINE)
    assert re.search(r"^after: \d+ of \d+ tasks solved", said, re.MULTILINE)


def test_every_round_is_told_before_the_last_evaluation_begins(ran):
    folder, said = ran
    rounds = [int(one) for one in re.findall(r"^  round (\d+): ", said, re.MULTILINE)]
    assert rounds == [one.iteration for one in read(Folders(folder).curve) if one.train]
    assert said.index(f"round {rounds[-1]}: ") < said.index("after: ")


def test_nothing_is_estimated_that_was_not_measured(ran):
    assert "update takes" not in ran[1]


def test_its_curves_have_an_end(ran):
    about = about_run(ran[0])
    assert (about.state, about.planned) == ("ended", None)
    assert Folders(ran[0]).ended.exists()  # it is not only guessed from the evaluations


def test_its_pages_are_told(ran):
    _, said = ran
    for page in ("monitor", "curves", "viewer"):
        assert re.search(rf"^  {page} +http://127\.0\.0\.1:\d+/\?token=\S+", said, re.MULTILINE), page


def test_the_same_tasks_of_unseen_websites_are_tried_before_and_after(ran):
    folders = Folders(ran[0])
    last = read(folders.curve)[-1].iteration
    with open_run(folders.evaluation(0)) as before, open_run(folders.evaluation(last)) as after:
        tried = [sorted(row.task_id for row in run.rows()) for run in (before, after)]
        where = {row.site for row in before.rows()}
    assert tried[0] == tried[1]
    assert len(tried[0]) >= 8
    assert {site_named(name.removesuffix(".localhost"), 50).split for name in where} == {"test"}
    with open_run(ran[0]) as trained:
        assert where.isdisjoint({row.site for row in trained.rows()})


def test_it_learned_and_left_a_run_like_any_other(ran):
    folder, said = ran
    curve = read(Folders(folder).curve)
    assert [one.iteration for one in curve] == list(range(len(curve)))
    assert [one.iteration for one in curve if one.evaluation] == [0, len(curve) - 1]
    assert any(one.learned for one in curve)
    config = config_from_as(TrainConfig, load_meta(folder).config)
    assert config.curves.serve  # for whoever resumes it
    assert len(find_runs(folder)) == 3
    assert f"webgym train --resume {folder}" in said


def test_the_report_has_curves_and_attempts_to_look_at(ran):
    page = Folders(ran[0]).report.read_text("utf-8")
    assert page.startswith("<!doctype html>")
    assert '"examples":[{"title":' in page
    assert "data:image/" in page
    assert f"report: {Folders(ran[0]).report}" in ran[1]


def test_a_folder_in_use_is_refused_before_anything_starts(ran, model, suite):
    done = subprocess.run(
        command(model, suite, ran[0], 1), check=False, cwd=ROOT, env=ENVIRONMENT, capture_output=True, text=True
    )
    assert done.returncode == ExitCode.CONFIGURATION
    assert "--out" in done.stderr


def test_ctrl_c_ends_it_and_leaves_a_run_with_a_report(model, suite, tmp_path):
    out = tmp_path / "stopped"
    with subprocess.Popen(
        command(model, suite, out, 1.5),
        cwd=ROOT,
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        text=True,
    ) as process:
        try:
            said = _until(process, "before: ")
            with urllib.request.urlopen(re.search(r"viewer +(\S+)", said)[1], timeout=10) as page:
                assert page.status == 200
            process.send_signal(signal.SIGINT)
            rest, _ = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == ExitCode.INTERRUPTED, rest
    assert "finished work is kept" in rest
    assert f"webgym train --resume {out}" in rest
    assert Folders(out).report.is_file()
    assert about_run(out).state == "stopped"
    assert not Folders(out).ended.exists()
    with open_run(Folders(out).evaluation(0)) as run:
        assert run.rows()


def test_the_tour_lets_oracles_solve_a_task_on_each_kind_of_site(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "webgym", "demo", "--tour", "--out", str(tmp_path)],
        check=False,
        cwd=ROOT,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=240,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"{len(FAMILIES)} of {len(FAMILIES)} tasks solved" in done.stdout
    assert {path.name.partition("-")[0] for path in tmp_path.glob("*.jpg")} == set(FAMILIES)


def _until(process: subprocess.Popen[str], words: str) -> str:
    said, deadline = "", time.monotonic() + 200
    while time.monotonic() < deadline:
        line = process.stdout.readline()
        said += line
        if not line or line.startswith(words):
            break
    assert words in said, said
    return said
