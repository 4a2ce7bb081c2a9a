"""Environments in real browsers: those that keep their promises pass every check, and each broken promise is found."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path

import msgspec
import pytest

from webgym.environments.template.shopping_list import (
    GOODS,
    ListJudge,
    ListOracle,
    ListState,
    RunningShoppingLists,
    ShoppingListEnvironment,
)
from webgym.records.action import Answer
from webgym.records.decision import Decision, Turn
from webgym.records.verdict import FactVerdict, Verdict
from webgym.run.environment_check import CheckedEnvironment, check_environment
from webgym.run.load import load_config

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]
HERE = "tests.integration.test_environments"


class Generous(ListJudge):
    """Finds that everything holds."""

    async def judge(self, *_: object) -> Verdict:
        return Verdict((FactVerdict(1, 0, True), FactVerdict(1, 1, True)))


class Cursory(ListJudge):
    """Looks at one fact."""

    async def judge(self, *_: object) -> Verdict:
        return Verdict((FactVerdict(1, 0, False),))


class Stubborn(ListState):
    """Does not forget."""

    async def reset(self) -> None:
        self._lists[self._key].append("what was there before")


class Deaf(ListState):
    """Takes no other state for its own."""

    async def inject(self, state: object) -> None:
        del state


class Lazy(ListOracle):
    async def decide(self, capture: object) -> Turn:
        return Turn(Decision(Answer("Done.")))


class Broken(ShoppingListEnvironment):
    """Keeps all promises but one."""

    running = RunningShoppingLists

    def __init__(self, promise: str = "") -> None:
        self.promise = promise
        self._asked = 0

    def tasks(self, selection):
        self._asked += 1
        for task in super().tasks(selection):
            again = f"{task.task_id}-{self._asked}" if self.promise == "same tasks" else task.task_id
            yield msgspec.structs.replace(task, task_id=again)

    def supports(self, task):
        support = super().supports(task)
        return msgspec.structs.replace(support, oracle=False) if self.promise == "support" else support

    @asynccontextmanager
    async def open(self, needs) -> AsyncGenerator[RunningShoppingLists]:
        async with super().open(needs) as running:
            running.__class__ = type("Running", (_RunningBroken,), {"promise": self.promise})
            yield running


class _RunningBroken(RunningShoppingLists):
    promise = ""

    @asynccontextmanager
    async def prepare(self, attempt, terms):
        async with super().prepare(attempt, terms) as setup:
            state = setup.state
            lists, key = state._lists, state._key
            match self.promise:
                case "doing nothing":
                    yield replace(setup, judge=Generous(state))
                case "facts":
                    yield replace(setup, judge=Cursory(state))
                case "oracle":
                    yield replace(setup, oracle=lambda: Lazy(attempt.task.exact, state))
                case "reset":
                    yield replace(setup, state=Stubborn(lists, key))
                case "inject":
                    yield replace(setup, state=Deaf(lists, key))
                case "shared":
                    lists[key] = next(iter(lists.values()))
                    yield setup
                case "left over":
                    lists[key] = self.__dict__.setdefault(attempt.task.task_id, [])
                    yield setup
                case "swallowed":
                    try:
                        yield setup
                    except Exception:  # noqa: BLE001
                        return
                case _:
                    yield setup


async def checked(use: str, *settings: str) -> CheckedEnvironment:
    config = load_config(None, [f"env={use}", "browser.sessions=4", "tasks.count=2", *settings])
    return await check_environment(config, lambda _: None)


async def test_the_environments_of_the_package_and_the_template_keep_their_promises():
    for use in ("hermetic", "webgym.environments.template.shopping_list:ShoppingListEnvironment"):
        found = await checked(use)
        assert [rule.detail for rule in found.rules if rule.outcome == "failed"] == []
        assert found.tasks == 2
        assert sum(rule.outcome == "passed" for rule in found.rules) >= 10
        assert found.reset_seconds is not None


@pytest.mark.parametrize(
    ("promise", "rule"),
    [
        ("same tasks", "tasks are the same each time"),
        ("support", "what is supported is there"),
        ("doing nothing", "doing nothing succeeds at no task"),
        ("facts", "verdicts cover every fact"),
        ("oracle", "an oracle succeeds at every task"),
        ("reset", "a reset leads back to the same state"),
        ("inject", "a state can be put into another attempt"),
        ("shared", "parallel attempts do not influence each other"),
        ("left over", "attempts begin in the same state"),
        ("swallowed", "a failed attempt is cleared away"),
    ],
)
async def test_a_broken_promise_is_found(promise: str, rule: str):
    found = await checked(f"{HERE}:Broken", f"env.options.promise={promise}")
    assert not found.passed
    assert rule in [one.name for one in found.rules if one.outcome == "failed"]


def webgym(*arguments: object, packages: Path, **more: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(packages), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    return subprocess.run(
        [sys.executable, "-m", "webgym", *map(str, arguments)],
        env=os.environ | {"PYTHONPATH": path, **more},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A package outside the repository, as `webgym env init` writes it, installed in a folder of its own."""
    folder = tmp_path_factory.mktemp("outside")
    said = webgym("env", "init", "far-away", "--folder", folder / "source", packages=folder)
    assert said.returncode == 0, said.stderr
    install = ["-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation", "--disable-pip-version-check"]
    subprocess.run(
        [sys.executable, *install, "--target", folder / "installed", folder / "source"], check=True, timeout=300
    )
    return folder / "installed"


def test_an_environment_in_a_package_of_its_own_is_listed_shown_and_checked(packages: Path):
    listed = webgym("env", "list", packages=packages, COLUMNS="160")
    assert "far_away.environment:FarAwayEnvironment" in listed.stdout
    shown = webgym("env", "show", "far-away", packages=packages)
    assert "Put tea on the shopping list." in shown.stdout
    check = webgym("env", "check", "far-away", "--tasks", "2", packages=packages)
    assert check.returncode == 0, check.stdout + check.stderr
    assert "far-away: passed with 2 tasks" in check.stdout


def test_an_environment_in_a_package_of_its_own_is_evaluated(packages: Path, tmp_path: Path):
    root = f"store.root={tmp_path}"
    ran = webgym(
        "eval", "env=far-away", "agent.use=oracle", root, "name=far", "browser.sessions=2", "--json", packages=packages
    )
    assert ran.returncode == 0, ran.stderr
    report = msgspec.json.decode(ran.stdout)
    assert report["outcomes"]["success"] == report["submitted"] == len(GOODS["test"])
    assert "far-away" in ran.stderr


def test_names_of_packages_and_folders_are_checked(tmp_path: Path):
    assert webgym("env", "init", "Not A Name", packages=tmp_path).returncode == 3
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").touch()
    taken = webgym("env", "init", "taken", "--folder", tmp_path / "taken", packages=tmp_path)
    assert taken.returncode == 3
    assert "is there already" in taken.stderr
