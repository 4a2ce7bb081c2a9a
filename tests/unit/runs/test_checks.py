"""Names that nothing has: told before there is a run."""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import pytest

from webgym.errors import ConfigError, WebGymError
from webgym.monitor.board import Board
from webgym.records.curve import Iteration
from webgym.records.event import Event
from webgym.records.trajectory import Attempt, Ending
from webgym.rollout.pool import FinishedGroup
from webgym.run import agents, judges, tasks
from webgym.run.checks import check_names
from webgym.run.choose import made_meta
from webgym.run.import_path import BUILT_IN, named
from webgym.run.load import load_config, load_config_as
from webgym.run.run import run
from webgym.run.training.config import TrainConfig
from webgym.run.training.run import train

pytestmark = pytest.mark.anyio
ORACLE = ("agent.use=oracle", "tasks.count=1", "monitor.serve=false", "browser.sessions=1")
SERVED = ("model.servers=['http://127.0.0.1:9/v1']", "model.model=m")


class Silent:
    """Listens, and says nothing."""

    def say(self, line: str) -> None:
        raise AssertionError(f"something was begun: {line}")

    def watch(self, board: Board, planned: int, kept: int) -> None: ...

    def happened(self, event: Event) -> None: ...

    def evaluating(self, iteration: int, planned: int, finished: FinishedGroup | None) -> None: ...

    def trained(self, iteration: Iteration) -> None: ...

    def ended(self, *what: Attempt | Ending | Iteration) -> None: ...


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (("agent.use=oracl",), "agent.use = 'oracl' is neither built in"),
        (("agent.use=vlm",), "no model given"),
        (("agent.use=vlm", "agent.policy=bogus"), "agent.policy = 'bogus' is neither built in"),
        (("agent.use=vlm", "agent.policy=engine"), "no model given"),
        (("agent.use=vlm", "policy.model=./nowhere"), "nowhere"),
        (("agent.use=vlm", *SERVED, "agent.dialect=klingon"), "no dialect is called 'klingon'"),
        (("agent.use=vlm", *SERVED, "agent.prompt=complete-9"), "no prompt version is called 'complete-9'"),
        (("agent.use=spoken-oracle", "agent.dialect=klingon"), "no dialect is called 'klingon'"),
        (("judge.use=exakt",), "judge.use = 'exakt' is neither built in"),
        (("judge.use=rubric",), "judge.model.servers"),
    ],
)
async def test_a_name_that_nothing_has_leaves_no_run_behind(tmp_path: Path, settings: tuple[str, ...], told: str):
    config = load_config(None, [*ORACLE, *settings])
    with pytest.raises(WebGymError, match=told):
        await run(config, tmp_path / "run", made_meta("eval", "run", config), Silent())
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    "settings",
    [
        (),
        ("agent.use=noop",),
        ("agent.use=random", "agent.dialect=not-looked-at"),
        ("agent.use=spoken-oracle",),
        ("agent.use=vlm", *SERVED),
        ("agent.use=vlm", "agent.policy=examples.own_policy:Scroller", "agent.dialect=compact"),
        ("agent.use=vlm", "policy.model=nano"),
        ("judge.use=none",),
        ("judge.use=examples.own_judge:AnswerLength",),
    ],
)
async def test_names_that_there_are_pass(settings: tuple[str, ...]):
    await check_names(load_config(None, [*ORACLE, *settings]))


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        (("agent.dialect=klingon",), "no dialect is called 'klingon'"),
        (("agent.use=oracl",), "agent.use = 'oracl'"),
        (("policy.model=./nowhere",), "nowhere"),
        (("policy.model=",), "no model given"),
        (("train.use=nobody",), "train.use = 'nobody'"),
    ],
)
async def test_training_likewise(tmp_path: Path, settings: tuple[str, ...], told: str):
    base = {"policy": {"model": "nano"}, "tasks": {"split": "train", "count": 1}}
    config = load_config_as(TrainConfig, None, ["evaluate.tasks.count=1", *settings], base)
    with pytest.raises(WebGymError, match=told):
        await train(config, tmp_path / "run", made_meta("train", "run", config), Silent(), 1)
    assert not (tmp_path / "run").exists()


async def test_a_run_that_was_begun_is_not_asked_for_its_model_again(tmp_path: Path):
    config = load_config(None, [*ORACLE, "agent.use=oracl"])
    with pytest.raises(ConfigError, match="oracl"):
        await check_names(config)
    with pytest.raises(WebGymError, match="there is no run in"):
        await run(config, tmp_path / "run", None, Silent())


def test_the_names_that_are_told_are_those_there_are():
    assert set(BUILT_IN["agent.use"]) == set(agents.BUILT_IN)
    assert set(BUILT_IN["judge.use"]) == {*judges.ASKING, *judges.PLAIN}
    cases = re.findall(r'^        case "(\w+)":$', inspect.getsource(tasks.tasks_for), re.MULTILINE)
    assert set(BUILT_IN["tasks.use"]) == set(cases)
    with pytest.raises(ConfigError, match=r"'oracl' is neither built in \(vlm, oracle, "):
        named("oracl", "agent.use")


@pytest.mark.parametrize("use", agents.ORACLES)
async def test_an_oracle_is_not_let_loose_on_a_website_that_has_none(use: str, tmp_path: Path):
    own = {"task_id": "a", "instruction": "find it", "website": "https://example.org", "rubric": []}
    config = load_config(overrides=[f"agent.use={use}", {"tasks": {"use": "given", "given": [own]}}])
    with pytest.raises(ConfigError, match=r"env=hermetic has no oracle for https://example\.org"):
        await run(config, tmp_path / "run", made_meta("eval", "run", config), Silent())
    assert not (tmp_path / "run").exists()
