"""A run is gone on with by the command, or the function, that began it."""

from __future__ import annotations

import shutil
from pathlib import Path

import msgspec
import pytest
from tests.unit.store.making import META, ending, step
from typer.testing import CliRunner

from webgym.cli.main import app
from webgym.errors import ConfigError, StoreError
from webgym.run.choose import RunRequest, choose
from webgym.run.commands import run_eval, run_rollout
from webgym.run.config import RunConfig
from webgym.run.load import load_config
from webgym.run.progress import NoProgress
from webgym.run.run import run
from webgym.run.tasks import groups_for, tasks_for
from webgym.run.train_commands import run_train
from webgym.run.train_config import TrainConfig
from webgym.store.meta import RunKind, save_meta
from webgym.store.packs import PACK_FOLDER
from webgym.store.write import open_writer

FUNCTIONS = {"rollout": run_rollout, "eval": run_eval, "train": run_train}


@pytest.mark.parametrize("kind", FUNCTIONS)
@pytest.mark.parametrize("begun", ["rollout", "eval", "train", "try"])
def test_a_run_of_another_kind_is_told_whose_it_is(tmp_path: Path, kind: str, begun: RunKind):
    if kind == begun:
        return
    save_meta(tmp_path, msgspec.structs.replace(META, config='iterations = 3\n[train]\nmode = "sync"', kind=begun))
    told = CliRunner().invoke(app, [kind, "--resume", str(tmp_path)])
    instead = "" if begun == "try" else f": webgym {begun} --resume {tmp_path}"
    assert isinstance(told.exception, ConfigError)
    assert str(told.exception) == f"{tmp_path} is a run of `webgym {begun}`, not of `webgym {kind}`{instead}"
    with pytest.raises(ConfigError, match=f"is a run of `webgym {begun}`"):
        FUNCTIONS[kind](resume=tmp_path)


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_a_run_is_resumed_as_it_was_begun(tmp_path: Path, kind: RunKind):
    save_meta(tmp_path, msgspec.structs.replace(META, config="", kind=kind))
    told = CliRunner().invoke(app, [kind, "--resume", str(tmp_path), "tasks.count=3"])
    assert "cannot be changed when a run is resumed" in str(told.exception)
    for given in ({"overrides": ["tasks.count=3"]}, {"tasks": {"count": 3}}, {"config": "some.toml"}):
        with pytest.raises(ConfigError, match="cannot be changed when a run is resumed"):
            FUNCTIONS[kind](resume=str(tmp_path), **given)


@pytest.mark.parametrize("kind", FUNCTIONS)
def test_a_run_may_go_on_on_another_machine_and_training_for_longer(tmp_path: Path, kind: RunKind):
    configured = TrainConfig if kind == "train" else RunConfig
    save_meta(tmp_path, msgspec.structs.replace(META, config="seed = 5", kind=kind))
    given = ["browser.sessions=40", "browser.nodes=3", "monitor.port=8123", 'policy.servers.urls=["http://gpu:8000"]']
    found = choose(kind, configured, RunRequest(resume=tmp_path, overrides=given)).config
    assert (found.seed, found.browser.sessions, found.browser.nodes, found.monitor.port) == (5, 40, 3, 8123)
    assert found.policy.servers.urls == ("http://gpu:8000",)
    longer = RunRequest(resume=tmp_path, overrides=["iterations=90"])
    if kind == "train":
        assert choose(kind, TrainConfig, longer).config.iterations == 90
    else:
        with pytest.raises(ConfigError, match=r"run is resumed: iterations; what can be changed: browser\.url"):
            choose(kind, RunConfig, longer)


def test_a_run_may_be_named_instead_of_its_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    folder = Path("runs") / "last-night"
    folder.mkdir(parents=True)
    save_meta(folder, msgspec.structs.replace(META, config="seed = 5", kind="eval"))
    assert choose("eval", RunConfig, RunRequest(resume=Path("last-night"))).folder == folder
    with pytest.raises(StoreError, match="no run 'tonight'"):
        choose("eval", RunConfig, RunRequest(resume=Path("tonight")))


class Said(NoProgress):
    """Keeps what is said."""

    def __init__(self) -> None:
        self.lines: list[str] = []

    def on_message(self, line: str) -> None:
        self.lines.append(line)


@pytest.mark.anyio
async def test_a_run_that_is_over_says_that_its_pictures_are_gone(tmp_path: Path):
    config = load_config(None, ["agent.use=oracle", "tasks.count=1"])
    [[attempt]] = groups_for(tasks_for(config.tasks, config.seed), config.tasks.repeats, config.seed)
    async with open_writer(tmp_path, META) as writer:
        await writer.begin(attempt)
        await writer.step(attempt, *step(1))
        await writer.end(attempt, ending(), {})
    whole, damaged = Said(), Said()
    assert (await run(config, tmp_path, None, whole)).complete
    assert whole.lines == []
    shutil.rmtree(tmp_path / PACK_FOLDER)
    assert (await run(config, tmp_path, None, damaged)).complete
    assert damaged.lines == [f"1 pictures of this run are gone: {tmp_path / PACK_FOLDER} is damaged"]
