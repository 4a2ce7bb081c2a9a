"""`kill -9` of any one process while sessions run: only what died with it fails, and nothing is left behind.

On fakes in every test run, on real Chromium among the long proofs.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import AsyncGenerator
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp
import anyio
import psutil
import pytest
from tests.fleets import FAKE, fleet_of
from tests.web import serve_page

from webgym.browser import wire
from webgym.browser.client import BrowserClient, RemoteSession
from webgym.browser.config import ChromiumConfig, EgressConfig
from webgym.browser.server.processes import SCRATCH
from webgym.browser.server.supervise import Fleet
from webgym.errors import LossReason, SessionLost, WebGymError
from webgym.records.action import Click, Point, Wait
from webgym.records.session import NOTHING, Look, SessionSpec

pytestmark = [pytest.mark.anyio, pytest.mark.timeout(180)]

SESSIONS = 8
NOTICED_SECONDS = 5.0
RECOVERED_SECONDS = 15.0
CHROMIUM = "webgym.browser.server.chromium.browser:ChromiumBrowser"
PAGE = "<!doctype html><title>0</title><body onclick='document.title = ++window.n'><script>n = 0</script>steady"


@dataclass
class Driven:
    """Sessions that are stepped without pause, and what became of each."""

    steps: dict[int, int] = field(default_factory=dict)
    lost: dict[int, tuple[float, WebGymError]] = field(default_factory=dict)
    killed_at: float = 0.0

    def alive(self) -> dict[int, int]:
        return {number: count for number, count in self.steps.items() if number not in self.lost}

    def reasons(self) -> set[LossReason | str]:
        return {why.reason if isinstance(why, SessionLost) else repr(why) for _, why in self.lost.values()}

    def delays(self) -> list[float]:
        return [when - self.killed_at for when, _ in self.lost.values()]


@dataclass
class Arena:
    """A fleet under test."""

    fleet: Fleet
    client: BrowserClient
    page: str
    browser: str

    @property
    def folder(self) -> Path:
        """Where all of this fleet's processes keep their files."""
        return Path(psutil.Process(self.fleet.pids["gateway"]).environ()[SCRATCH]).parent

    def workers(self) -> list[psutil.Process]:
        children = psutil.Process(self.fleet.pids["node"]).children()
        return [process for process in children if "webgym.browser.server.worker" in process.cmdline()]

    def browsers(self, folder: Path) -> list[psutil.Process]:
        """Every Chromium main process below a folder, wherever it hangs in the process tree."""
        found: list[psutil.Process] = []
        for process in psutil.process_iter():
            with contextlib.suppress(psutil.Error):
                line = " ".join(process.cmdline())
                if str(folder) in line and "chrom" in line and process.status() != psutil.STATUS_ZOMBIE:
                    found.append(process)
        return found

    def profiles(self, folder: Path) -> list[Path]:
        return [path for path in folder.rglob("*profile*") if path.is_dir()] if folder.exists() else []

    @contextlib.asynccontextmanager
    async def driving(self, count: int = SESSIONS) -> AsyncGenerator[Driven]:
        driven = Driven()
        async with anyio.create_task_group() as tasks:
            for number in range(count):
                tasks.start_soon(self._drive, number, driven)
            with anyio.fail_after(60):
                while len(driven.steps) < count or min(driven.steps.values()) < 2:
                    await anyio.sleep(0.05)
            yield driven
            tasks.cancel_scope.cancel()

    async def _drive(self, number: int, driven: Driven) -> None:
        try:
            async with self.client.open(SessionSpec(start_url=self.page)) as session:
                while True:
                    await session.step(Click(Point(50, 50)), Look(settle_seconds=1.0))
                    driven.steps[number] = driven.steps.get(number, 0) + 1
                    await anyio.sleep(0.02)
        except WebGymError as error:
            driven.lost[number] = (time.monotonic(), error)

    async def kill(self, driven: Driven, pid: int, how: int = signal.SIGKILL) -> None:
        driven.killed_at = time.monotonic()
        os.kill(pid, how)

    async def expect_lost(
        self, driven: Driven, count: int, reason: LossReason, within: float = NOTICED_SECONDS
    ) -> None:
        with anyio.move_on_after(within + 3):
            while len(driven.lost) < count:
                await anyio.sleep(0.05)
        before = driven.alive()
        await anyio.sleep(1.0)
        assert len(driven.lost) == count, (len(driven.lost), driven.reasons())
        assert driven.reasons() <= {reason}, driven.lost
        assert max(driven.delays(), default=0.0) < within
        for number, steps in before.items():
            assert driven.steps[number] > steps, f"session {number} stopped although it was not killed"

    async def expect_full_capacity(self, driven: Driven | None = None) -> None:
        """All places can be used again."""
        since = driven.killed_at if driven is not None else time.monotonic()
        with anyio.fail_after(since + RECOVERED_SECONDS - time.monotonic() + 1):
            while True:
                with contextlib.suppress(WebGymError):
                    if sum(node.free for node in (await self.client.status()).nodes) == SESSIONS:
                        break
                await anyio.sleep(0.1)
        async with contextlib.AsyncExitStack() as stack:
            for _ in range(SESSIONS):
                session = await stack.enter_async_context(self.client.open(SessionSpec(start_url=self.page)))
                await session.step(Click(Point(50, 50)), NOTHING)

    async def expect_nothing_left(self, folder: Path) -> None:
        with anyio.move_on_after(RECOVERED_SECONDS):
            while self.browsers(folder) or folder.exists():
                await anyio.sleep(0.1)
        assert not self.browsers(folder)
        assert not folder.exists(), list(folder.rglob("*"))[:10]


@pytest.fixture(
    params=[FAKE, pytest.param(CHROMIUM, marks=[pytest.mark.full, pytest.mark.chromium])], ids=["fake", "chromium"]
)
async def arena(request: pytest.FixtureRequest, anyio_backend: str) -> AsyncGenerator[Arena]:
    with serve_page(PAGE) as site:
        chromium = ChromiumConfig(egress=EgressConfig(allow=(site.host_port,)))
        async with fleet_of(browser=request.param, chromium=chromium, max_sessions=SESSIONS) as (fleet, client):
            arena = Arena(fleet, client, site.url, request.param)
            folder = arena.folder
            yield arena
        assert not folder.exists()
        assert not arena.browsers(folder)


async def test_killing_a_worker_loses_its_own_sessions_only(arena: Arena):
    victim = arena.workers()[0]
    scratch = Path(victim.environ()[SCRATCH])
    async with arena.driving() as driven:
        await arena.kill(driven, victim.pid)
        await arena.expect_lost(driven, SESSIONS // 2, LossReason.WORKER_DIED)
    await arena.expect_nothing_left(scratch)
    await arena.expect_full_capacity(driven)


async def test_killing_the_node_loses_its_sessions_and_it_comes_back(arena: Arena):
    scratch = Path(psutil.Process(arena.fleet.pids["node"]).environ()[SCRATCH])
    async with arena.driving() as driven:
        await arena.kill(driven, arena.fleet.pids["node"])
        await arena.expect_lost(driven, SESSIONS, LossReason.NODE_LOST)
    await arena.expect_nothing_left(scratch)
    await arena.expect_full_capacity(driven)


async def test_killing_the_gateway_loses_no_session(arena: Arena):
    async with arena.driving() as driven:
        await arena.kill(driven, arena.fleet.pids["gateway"])
        await arena.expect_lost(driven, 0, LossReason.NODE_LOST)
        with anyio.fail_after(RECOVERED_SECONDS):
            while True:
                with contextlib.suppress(WebGymError):
                    if (await arena.client.status()).sessions == SESSIONS:
                        break
                await anyio.sleep(0.1)
        before = driven.alive()
        await anyio.sleep(1.0)
        assert all(driven.steps[number] > steps for number, steps in before.items())
        assert len(before) == SESSIONS
    await arena.expect_full_capacity()


async def test_a_gateway_that_was_frozen_loses_no_session(arena: Arena):
    async with arena.driving() as driven:
        await arena.kill(driven, arena.fleet.pids["gateway"], signal.SIGSTOP)
        await anyio.sleep(6.0)  # longer than makes a node silent
        await arena.kill(driven, arena.fleet.pids["gateway"], signal.SIGCONT)
        await anyio.sleep(3.0)
        await arena.expect_lost(driven, 0, LossReason.NODE_LOST)
        assert (await arena.client.status()).sessions == SESSIONS


async def test_killing_the_gateway_cuts_no_long_step_off(arena: Arena):
    """Clients ask the gateway about steps that take long; one that is back before it has heard from the node counts."""
    ended: list[float] = []

    async def wait(session: RemoteSession, after: float) -> None:
        await anyio.sleep(after)
        await session.step(Wait(6.0), NOTHING)
        ended.append(time.monotonic())

    async with contextlib.AsyncExitStack() as stack:
        sessions = [
            await stack.enter_async_context(arena.client.open(SessionSpec(start_url=arena.page)))
            for _ in range(SESSIONS)
        ]
        async with anyio.create_task_group() as tasks:
            for number, session in enumerate(sessions):
                tasks.start_soon(wait, session, number * 2.0 / SESSIONS)  # so that one of them asks at any moment
            await anyio.sleep(1.0)
            os.kill(arena.fleet.pids["gateway"], signal.SIGKILL)
        assert len(ended) == SESSIONS
        for session in sessions:
            await session.step(Click(Point(50, 50)), NOTHING)


async def test_killing_a_client_frees_its_sessions(arena: Arena):
    fleet = arena.fleet
    command = [sys.executable, str(Path(__file__).with_name("victim_client.py")), fleet.url, fleet.token, arena.page]
    async with await anyio.open_process([*command, str(SESSIONS)], stderr=None) as process:
        assert process.stdout is not None
        with anyio.fail_after(60):
            assert b"ready" in await process.stdout.receive()
        await anyio.sleep(0.5)
        assert (await arena.client.status()).sessions == SESSIONS
        driven = Driven()
        await arena.kill(driven, process.pid)
    await arena.expect_full_capacity(driven)


async def test_a_frozen_node_is_gone_and_does_not_act_for_its_old_leases_when_it_wakes(arena: Arena):
    node = arena.fleet.pids["node"]
    headers = {"Authorization": f"Bearer {arena.fleet.token}", wire.FENCE: "1"}
    async with arena.client.open(SessionSpec(start_url=arena.page)) as session:
        path = f"{session.base}/v1/sessions/{session.name}/step"
        async with arena.driving(SESSIONS - 1) as driven:
            await arena.kill(driven, node, signal.SIGSTOP)
            try:
                await arena.expect_lost(driven, SESSIONS - 1, LossReason.NODE_LOST, within=10.0)
                assert (await arena.client.status()).nodes == ()
                async with aiohttp.ClientSession(headers=headers) as raw, anyio.create_task_group() as tasks:
                    answers: list[tuple[int, str]] = []

                    async def act() -> None:
                        body = {"action": {"kind": "click", "target": {"kind": "point", "x": 50, "y": 50}}}
                        async with raw.post(path, json=body) as answer:
                            answers.append((answer.status, (await answer.json())["reason"]))

                    tasks.start_soon(act)  # arrives while the node cannot see it
                    await anyio.sleep(0.5)
                    os.kill(node, signal.SIGCONT)
                assert answers == [(410, "node_lost")]
            finally:
                os.kill(node, signal.SIGCONT)
    driven.killed_at = time.monotonic()
    await arena.expect_full_capacity(driven)


@pytest.mark.full
@pytest.mark.chromium
@pytest.mark.parametrize("arena", [CHROMIUM], indirect=True)
async def test_killing_a_chromium_loses_its_own_sessions_only(arena: Arena):
    scratch = Path(arena.workers()[0].environ()[SCRATCH])
    async with arena.driving() as driven:
        # Debian starts its browser from a shell script, which has the same arguments.
        mains = [p for p in arena.browsers(scratch) if "--type=" not in " ".join(p.cmdline())]
        [victim] = [p for p in mains if "chrom" in Path(p.exe()).name]
        profiles = arena.profiles(scratch)
        await arena.kill(driven, victim.pid)
        await arena.expect_lost(driven, SESSIONS // 2, LossReason.BROWSER_DIED)
        with anyio.fail_after(RECOVERED_SECONDS):
            while any(path.exists() for path in profiles):
                await anyio.sleep(0.1)
    await arena.expect_full_capacity(driven)
