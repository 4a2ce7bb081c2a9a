"""A study's file: what it says, and what is refused before anything runs."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from tests.unit.study.made import curve

from webgym.curves.file import append
from webgym.errors import ConfigError
from webgym.run.choose import made_meta
from webgym.run.folders import Folders
from webgym.run.load import load_config_as
from webgym.run.train_config import TrainConfig
from webgym.store.meta import save_meta
from webgym.study.cores import shares
from webgym.study.design import load_design
from webgym.study.plan import StudyRun, runs_of
from webgym.study.typed import typed

CONFIGS = Path(__file__).parents[3] / "configs"
TWO = """
base = "train-nano"
seeds = [3, 5]
settings = ["iterations=4", "tasks.seed=0"]

[arms.plain]

[arms.slower]
train.lr = 1e-6
"""


def written(folder: Path, text: str = TWO) -> Path:
    path = folder / "mine.toml"
    path.write_text(text)
    return path


def planned(folder: Path, text: str = TWO, *overrides: str, seeds: tuple[int, ...] = ()) -> tuple[StudyRun, ...]:
    return runs_of(load_design(written(folder, text), overrides, seeds), folder / "runs")


def begun(run: StudyRun, done: int) -> None:
    """As if it had come so far."""
    run.folder.mkdir(parents=True)
    save_meta(run.folder, made_meta("train", run.name, run.config))
    for one in curve({0: 0.2, done: 0.4}):
        append(Folders(run.folder).curve, one)


def test_a_study_goes_seed_by_seed_over_its_arms(tmp_path):
    runs = planned(tmp_path)
    assert [run.name for run in runs] == ["plain-3", "slower-3", "plain-5", "slower-5"]
    assert [run.folder for run in runs][:1] == [tmp_path / "runs" / "plain-3"]
    assert [(run.config.seed, run.config.iterations, run.standing) for run in runs][:2] == [(3, 4, "new")] * 2
    assert [run.config.train.whole().optimizer.lr for run in runs][:2] == [3e-5, 1e-6]


def test_what_is_typed_for_a_run_means_what_its_configuration_says(tmp_path):
    for run in planned(tmp_path, TWO + 'tasks.templates = ["a b", "c"]\n'):
        _, base, *arguments = run.arguments
        assert load_config_as(TrainConfig, Path(base), arguments) == run.config


def test_settings_and_seeds_behind_the_command_are_for_all_arms(tmp_path):
    runs = planned(tmp_path, TWO, "iterations=9", seeds=(1,))
    assert [(run.name, run.config.iterations) for run in runs] == [("plain-1", 9), ("slower-1", 9)]


def test_a_base_beside_the_study_comes_before_one_that_ships(tmp_path):
    (tmp_path / "train-nano").write_text('policy.model = "nano"\niterations = 77\n')
    assert planned(tmp_path, 'base = "train-nano"\n[arms.one]\n')[0].config.iterations == 77


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ('base = "train-nano"\n', "is not a study: it has no"),
        ("iterations = 3\n[arms.one]\n", "base"),
        ('base = "train-nano"\nseed = [1]\n[arms.one]\n', "there is no setting seed; did you mean seeds"),
        ('base = "train-nano"\nseeds = [1, 1]\n[arms.one]\n', "a seed is given twice"),
        ('base = "train-nano"\nseeds = [-1]\n[arms.one]\n', "seeds"),
        ('base = "train-nano"\nseeds = []\n[arms.one]\n', "seeds"),
        ('base = "train-nana"\n[arms.one]\n', "train-nana does not exist; did you mean train-nano"),
        ('base = "train-nano"\n[arms."1/k"]\n', "arm '1/k': it names folders"),
        ('base = "train-nano"\n[arms.".."]\n', "it names folders"),
        ('base = "train-nano"\n[arms.one]\ntrain.rl = 1\n', "arm one: .*there is no setting train.rl"),
        ('base = "train-nano"\n[arms.one]\ntrain.lr = -1\n', "arm one: .*train.lr"),
        ('base = "train-nano"\nsettings = ["iterations"]\n[arms.one]\n', "an override looks like"),
        ('base = "train-nano"\n[arms.one]\nseed = 1\n', "arm one: a study sets seed for each run; use seeds"),
        ('base = "train-nano"\nsettings = ["store.root=x"]\n[arms.one]\n', "use --folder instead"),
        ('base = "train-nano"\n[arms.one]\n[arms.two]\niterations = 20\n', "arms one and two have the same settings"),
        ("base = [\n", "is not TOML"),
    ],
)
def test_what_cannot_be_run_is_told_before_anything_is(tmp_path, text, said):
    with pytest.raises(ConfigError, match=f"(?s){said}"):
        planned(tmp_path, text)
    assert not (tmp_path / "runs").exists()


def test_what_an_arm_sets_cannot_be_typed_over(tmp_path):
    with pytest.raises(ConfigError, match=r"arm slower sets train.lr itself: change the study's file"):
        planned(tmp_path, TWO, "train.lr=1e-3")


def test_a_configuration_of_a_run_is_no_study():
    with pytest.raises(ConfigError, match="is not a study"):
        load_design(Path("train-nano"))


def test_runs_that_are_there_are_gone_on_with_and_those_that_are_done_left_alone(tmp_path):
    first, second, *_ = planned(tmp_path)
    begun(first, 4)
    begun(second, 2)
    again = planned(tmp_path)
    assert [run.standing for run in again] == ["done", "begun", "new", "new"]
    assert again[1].arguments == ("--resume", str(second.folder))
    longer = planned(tmp_path, TWO, "iterations=6", "browser.sessions=3")
    assert [run.standing for run in longer] == ["begun", "begun", "new", "new"]
    assert longer[0].arguments == ("--resume", str(first.folder), "browser.sessions=3", "iterations=6")


def test_a_run_that_was_begun_with_other_settings_is_told(tmp_path):
    begun(planned(tmp_path)[0], 2)
    with pytest.raises(ConfigError, match=r"plain-3 was started with other settings: limits.easy was 12 and is 9"):
        planned(tmp_path, TWO, "limits.easy=9")


def test_a_folder_that_holds_something_else_is_told(tmp_path):
    (tmp_path / "runs" / "plain-3").mkdir(parents=True)
    (tmp_path / "runs" / "plain-3" / "notes.txt").write_text("mine")
    with pytest.raises(ConfigError, match="contains no run"):
        planned(tmp_path)


def test_settings_are_typed_as_the_command_line_reads_them():
    settings = {"train": {"lr": 1e-5, "tried": ["runs/a b", 'c"d']}, "name": "8", "curves": {"serve": False}}
    assert typed(["seed=1", settings]) == [
        "seed=1", "train.lr=1e-05", 'train.tried=["runs/a b", "c\\"d"]', 'name="8"', "curves.serve=false",
    ]  # fmt: skip


def test_runs_at_once_have_as_many_cores_each_and_what_is_left_over_is_nobodys():
    def alone(core: int) -> str:
        return str(core)

    assert shares({0, 1, 2, 3, 4}, 2, alone) == [frozenset({0, 1}), frozenset({2, 3})]
    assert shares({0, 1}, 1, alone) == [frozenset()]
    assert shares({0, 1}, 3, alone) == [frozenset()] * 3
    assert shares((), 2, alone) == [frozenset()] * 2


def test_threads_of_one_core_stay_together():
    assert shares(range(4), 2, lambda core: f"{core % 2},{core % 2 + 2}") == [frozenset({0, 2}), frozenset({1, 3})]


def test_the_study_in_the_docs_can_be_run(tmp_path):
    page = (CONFIGS.parent / "docs" / "studies.md").read_text("utf-8")
    runs = planned(tmp_path, page.split("```toml\n", 1)[1].split("```", 1)[0])
    assert [run.name for run in runs][:2] == ["usual-0", "slower-0"]
    assert {path.stem for path in CONFIGS.glob("study-*.toml")} == set(
        re.findall(r"^\| `(study-[\w-]+)`", page, re.MULTILINE)
    )


@pytest.mark.parametrize("path", sorted(CONFIGS.glob("study-*.toml")), ids=lambda path: path.stem)
def test_every_study_that_ships_can_be_run(path, tmp_path):
    runs = runs_of(load_design(path), tmp_path / "runs")
    assert [run.seed for run in runs] == [0, 0, 1, 1, 2, 2]


def arms_of(name: str, folder: Path) -> tuple[TrainConfig, TrainConfig]:
    first, second, *_ = runs_of(load_design(Path(name)), folder)
    return first.config, second.config


def test_the_asynchronous_arm_learns_as_the_synchronous_one_does(tmp_path):
    sync, beside = arms_of("study-nano-async", tmp_path)
    assert (sync.train.mode, beside.train.mode) == ("sync", "async")
    assert sync.train.whole() == beside.train.whole()
    mode = {"mode": "sync", "flow": sync.train.flow, "source": sync.train.source}
    assert beside.model_copy(update={"train": beside.train.model_copy(update=mode), "name": sync.name}) == sync


def test_the_arms_of_the_decoupled_study_differ_in_the_loss_alone(tmp_path):
    decoupled, coupled = arms_of("study-nano-decoupled", tmp_path)
    one, other = decoupled.train.whole(), coupled.train.whole()
    assert (one.loss.anchor, one.loss.correction.use) == ("proximal", "mask")
    assert (other.loss.anchor, other.loss.correction.use) == ("behaviour", "off")
    assert one.model_copy(update={"loss": other.loss}) == other
    assert decoupled.train.mode == coupled.train.mode == "async"
    assert (one.updates.minibatches, one.updates.epochs, one.source.max_lag) == (2, 3, 6)


def test_the_arms_of_the_study_of_weights_differ_in_the_weights_alone(tmp_path):
    constant, per_length = (one.train.whole() for one in arms_of("study-nano-weights", tmp_path))
    assert (constant.source.aggregation, per_length.source.aggregation) == ("constant", "per_trajectory")
    assert constant.loss == per_length.loss
    assert constant.optimizer == per_length.optimizer
