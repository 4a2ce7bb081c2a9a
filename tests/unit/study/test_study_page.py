"""What a study is said to have found, what set its arms apart, and the page that can be sent to others."""

from __future__ import annotations

import io
import json
from pathlib import Path

import msgspec
import pytest
from rich.console import Console
from tests.unit.study.made import curve
from tests.unit.study.test_study_of_runs import LOST, WON, trained, with_curve
from typer.testing import CliRunner

from webgym.cli.main import app
from webgym.cli.study.run import _print
from webgym.store.meta import load_meta, save_meta
from webgym.store.statistics import Estimate, Interval
from webgym.study.compare import Against, Study, compared, runs_in
from webgym.study.outcome import conclude
from webgym.study.page import write_page
from webgym.study.progress import RunProgress
from webgym.study.settings import settings_of
from webgym.study.tables import tables_of
from webgym.study.verdict import verdict_of

pytestmark = pytest.mark.anyio
CONFIG = 'seed = {seed}\n[policy]\nmodel = "nano"\n[train]\nmode = "sync"\nlr = {lr}\n[store]\nroot = "{root}"\n'


def said(**figures) -> tuple[str, ...]:
    against = Against("fast", "slow", **{"difference": None, "seconds_to_level": None, "clip_share": None} | figures)
    return verdict_of(Study((), (against,), 0.34, ()))


@pytest.mark.parametrize(
    ("low", "high", "words"),
    [
        (0.01, 0.09, "fast ended 5.0 points above slow on 120 unseen tasks"),
        (
            -0.01,
            0.11,
            "No difference in success between fast and slow is shown: +5.0 points on 120 unseen tasks",
        ),
    ],
)
def test_a_difference_is_told_only_beyond_chance(low, high, words):
    bounds = f"{100 * low:+.1f} to {100 * high:+.1f}"
    assert said(difference=Interval(0.05, low, high, 120)) == (f"{words} (95 % interval over tasks {bounds}).",)


def test_a_loss_and_what_cannot_be_compared_are_told():
    assert said(difference=Interval(-0.05, -0.09, -0.01, 7))[0].startswith("fast ended 5.0 points below slow on 7")
    nothing = "fast and slow cannot be compared in success: no task was graded in both after training."
    assert said() == said(difference=Interval(0.0, -1.0, 1.0, 0)) == (nothing,)


@pytest.mark.parametrize(
    ("estimate", "ending"),
    [
        (Estimate(0.8, 0.4, 1.12, 6), "(0.40 to 1.12), which leaves open which is faster."),
        (Estimate(0.5, 0.4, 0.7, 6), "(0.40 to 0.70): faster."),
        (Estimate(1.5, 1.2, 1.9, 6), "(1.20 to 1.90): slower."),
        (Estimate(0.5, None, None, 2), "; with one seed, this has no interval."),
    ],
)
def test_time_to_the_level_is_told_with_what_it_leaves_open(estimate, ending):
    told = said(seconds_to_level=estimate)[1]
    assert told.startswith(f"fast took {estimate.estimate:.2f} times the training time of slow to 34.0% success")
    assert told.endswith(ending)


async def study_of(folder: Path, *, lrs: dict[str, float] | None = None) -> dict[str, list[Path]]:
    """Two arms with two seeds each; the second one rises, and differs in its learning rate."""
    arms: dict[str, list[Path]] = {}
    for name, lr in (lrs or {"usual": 1e-5, "higher": 3e-5}).items():
        for seed in range(2):
            better = [WON] * 8 + [LOST] * 2 if name == "higher" else [WON] * 3 + [LOST] * 7
            run = await trained(folder / f"{name}-{seed}", [LOST] * 8 + [WON] * 2, better, planned=8)
            config = CONFIG.format(seed=seed, lr=lr, root=folder / name)
            save_meta(run, msgspec.structs.replace(load_meta(run), config=config))
            last = 0.8 if name == "higher" else 0.3
            with_curve(run, curve({0: 0.2, 4: 0.2 + seed / 20, 8: last + seed / 50}, seconds=30))
            arms.setdefault(name, []).append(run)
    return arms


async def test_the_settings_in_which_arms_differ_are_found(tmp_path):
    found = settings_of(await study_of(tmp_path))
    assert [(one.name, one.values) for one in found.different] == [("train.lr", ("1e-05", "3e-05"))]
    assert found.shared == {"policy.model": "nano", "train.mode": "sync"}
    assert found.notes == ()


async def test_runs_of_an_arm_that_differ_in_more_than_their_seed_are_noted(tmp_path):
    arms = await study_of(tmp_path)
    odd = arms["usual"][1]
    save_meta(odd, msgspec.structs.replace(load_meta(odd), config=CONFIG.format(seed=1, lr=1.0, root=odd)))
    unreadable = arms["higher"][0]
    save_meta(unreadable, msgspec.structs.replace(load_meta(unreadable), config="not TOML"))
    found = settings_of(arms)
    assert [one.values for one in found.different] == [("differs between its runs", "3e-05")]
    assert found.notes == (
        f"the settings of {unreadable} cannot be read",
        "runs of the same arm differ in more than their seed: train.lr",
    )


def data_of(page: Path) -> dict:
    text = page.read_text("utf-8")
    return json.loads(text.split('id="data">')[1].split("</script>")[0])


async def test_the_page_holds_verdict_settings_curves_tables_and_notes(tmp_path):
    arms = await study_of(tmp_path)
    runs = runs_in(arms)
    write_page(tmp_path / "page.html", "rates", runs, compared(runs), ["third is excluded: it has not started"])
    page = data_of(tmp_path / "page.html")
    assert page["verdict"][0].startswith("higher ended 50.0 points above usual on 10 unseen tasks")
    assert page["verdict"][-2].startswith("From before to after training, success rose beyond chance")
    higher = page["arms"][1]
    assert [(one["iteration"], one["seconds"]) for one in higher["points"]] == [(0, 0), (4, 120), (8, 240)]
    assert higher["points"][2]["low"] < 0.81 < higher["points"][2]["high"]
    assert [run["iterations"] for run in higher["runs"]] == [8, 8]
    assert higher["rise"]["n"] == 10
    assert [table["title"] for table in page["tables"]] == [
        "Success on unseen tasks",
        "Length of attempts",
        "Rise by difficulty",
        "Time and updates",
        "Against the first arm",
    ]
    assert page["notes"][0] == "third is excluded: it has not started"
    assert any("An arm has 2 seeds" in note for note in page["notes"])
    assert any("same machine" in note for note in page["notes"])


async def test_a_single_seed_has_the_interval_of_its_own_evaluations(tmp_path):
    arms = {name: runs[:1] for name, runs in (await study_of(tmp_path)).items()}
    runs = runs_in(arms)
    write_page(tmp_path / "page.html", "one", runs, compared(runs))
    arm = data_of(tmp_path / "page.html")["arms"][0]
    assert arm["band"] == "95 % over tasks, one seed"
    assert arm["rise_over_seeds"] is None
    assert len(arm["points"]) == 3


async def test_nothing_in_a_name_can_end_the_pages_data(tmp_path):
    arms = await study_of(tmp_path)
    evil = "</script><script>alert(1)</script>"
    runs = runs_in({evil: arms["usual"], "higher": arms["higher"]})
    write_page(tmp_path / "page.html", evil, runs, compared(runs))
    assert "<script>alert" not in (tmp_path / "page.html").read_text("utf-8")
    assert data_of(tmp_path / "page.html")["arms"][0]["name"] == evil


async def test_every_column_whose_title_does_not_say_it_all_is_explained(tmp_path):
    found = compared(runs_in(await study_of(tmp_path)))
    plain = {"arm", "success", "compared with"}
    for table in tables_of(found):
        assert table.caption
        assert all(column.meaning or column.title in plain for column in table.columns), table.title
        assert all(len(row) == len(table.columns) for row in table.rows)


async def test_one_command_prints_captions_and_writes_the_page(tmp_path, monkeypatch):
    arms = await study_of(tmp_path)
    opened: list[str] = []
    monkeypatch.setattr("typer.launch", opened.append)
    told = [f"{name}={','.join(map(str, runs))}" for name, runs in arms.items()]
    out = tmp_path / "pages" / "study.html"
    (tmp_path / "pages").mkdir()
    shown = CliRunner().invoke(app, ["study", "show", *told, "--html", str(out), "--open"], env={"COLUMNS": "400"})
    assert shown.exit_code == 0, shown.output
    assert "Against the first arm. Every arm compared with the first one." in shown.output
    assert "s to level: seconds of training until the mean curve of the arm first reached the level" in shown.output
    assert "higher ended 50.0 points above usual" in shown.output
    assert f"page: {out}" in shown.output
    assert data_of(out)["name"] == "usual and higher"
    assert opened == [out.resolve().as_uri()]


def test_opening_needs_a_page_to_open():
    refused = CliRunner().invoke(app, ["study", "show", "a=b", "--open"])
    assert "--open opens the page of --html" in str(refused.exception)


async def test_a_study_that_was_run_leaves_its_page_in_its_folder(tmp_path):
    arms = await study_of(tmp_path)
    runs = [
        RunProgress(name, seed, folder.name, "done", 8, 8)
        for name, folders in arms.items()
        for seed, folder in enumerate(folders)
    ]
    waiting = RunProgress("third", 0, "third-0", "waiting", 0, 8)
    heard = io.StringIO()
    result = conclude("rates", tmp_path, [*runs, waiting])
    _print(result, tmp_path, Console(file=heard, width=400), frozenset())
    assert f"page: {tmp_path / 'study.html'}" in heard.getvalue()
    page = data_of(tmp_path / "study.html")
    assert page["name"] == "rates"
    assert page["notes"][0] == "third-0 is excluded: it has not started"
