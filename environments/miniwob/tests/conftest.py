"""MiniWoB, opened once for a module, and a Chromium that reaches it."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import pytest

from webgym.browser.config import ChromiumConfig, EgressConfig
from webgym.browser.server.chromium.browser import ChromiumBrowser
from webgym.records.action import Action
from webgym.records.decision import Decision
from webgym.records.environment import TaskSelection
from webgym.records.observation import Capture, Viewport
from webgym.records.session import Look, SessionSpec
from webgym.records.task import Task
from webgym.records.trajectory import Attempt
from webgym.records.verdict import Verdict
from webgym.stages import AttemptSetup, AttemptTerms, Browser, EnvironmentNeeds, RunningEnvironment, Session
from webgym_miniwob.environment import MiniwobEnvironment
from webgym_miniwob.instance import Progress

LOOK = Look(screenshot=None, elements=True, lines=True)
WIDE = Viewport(1280, 768)


@dataclass
class Player:
    """An attempt in a session of its own."""

    setup: AttemptSetup
    session: Session

    async def do(self, action: Action | None = None, look: Look = LOOK) -> Capture:
        return await self.session.step(action, look)

    async def progress(self) -> Progress:
        assert self.setup.state
        return await self.setup.state.read()

    async def ended(self, capture: Capture) -> str:
        assert self.setup.end
        return await self.setup.end.reason(capture.observation)

    async def verdict(self) -> Verdict:
        assert self.setup.judge
        return await self.setup.judge.judge(self.setup.attempt, (), None, "Done.")

    async def solve(self) -> Verdict:
        """Let the oracle play until the page ends the episode."""
        assert self.setup.oracle
        agent, capture = self.setup.oracle(), await self.do()
        for _ in range(12):
            turn = await agent.decide(capture)
            assert isinstance(turn.choice, Decision)
            capture = await self.do(turn.choice.action)
            if await self.ended(capture):
                break
        return await self.verdict()


@dataclass
class Arcade:
    """MiniWoB and a browser."""

    running: RunningEnvironment
    browser: Browser

    @asynccontextmanager
    async def playing(self, task_id: str, viewport: Viewport = WIDE) -> AsyncGenerator[Player]:
        terms = AttemptTerms(SessionSpec(viewport=viewport))
        async with self.running.prepare(Attempt("attempt-1", task_of(task_id)), terms) as setup:
            async with self.browser.open(setup.spec) as session:
                yield Player(setup, session)


def task_of(task_id: str) -> Task:
    """The task of this id, of either split."""
    found = (
        task
        for split in ("train", "test")
        for task in MiniwobEnvironment().tasks(TaskSelection(split=split, task_ids=(task_id,)))
    )
    return next(found)


@pytest.fixture(scope="session")
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def home_of_its_own(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WEBGYM_HOME", str(tmp_path_factory.getbasetemp() / "home"))


@pytest.fixture(scope="session")
def task():
    """Looks a task up."""
    return task_of


@pytest.fixture(scope="module")
async def running(anyio_backend):
    async with MiniwobEnvironment().open(EnvironmentNeeds((task_of("miniwob/click-test/0"),))) as opened:
        yield opened


@pytest.fixture(scope="module")
async def arcade(running):
    config = ChromiumConfig(egress=EgressConfig(allow=running.egress.allow))
    async with ChromiumBrowser(config) as browser:
        yield Arcade(running, browser)


@pytest.fixture
async def prepared(running):
    """Prepares an attempt, without a session."""

    def prepare(task_id: str):
        return running.prepare(Attempt("attempt-1", task_of(task_id)), AttemptTerms())

    return prepare
