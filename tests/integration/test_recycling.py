"""Chromium processes: replaced when they are old, mourned when they die."""

from __future__ import annotations

import os
import signal
import tempfile
import time

import anyio
import psutil
import pytest
from tests.integration.sessions import QUICK, config_for, driving

from webgym.browser.server.chromium.browser import ChromiumBrowser
from webgym.errors import ConfigError, LossReason, SessionLost
from webgym.records.action import Navigate, Wait
from webgym.records.event import BrowserDied, BrowserRecycled, Event
from webgym.records.session import SessionSpec

pytestmark = [pytest.mark.anyio, pytest.mark.chromium]


class Heard:
    def __init__(self) -> None:
        self.events: list[Event] = []

    def emit(self, event: Event) -> None:
        self.events.append(event)


def chromium_of(driver):
    return driver.session._parts.chromium


async def gone(pid: int) -> None:
    with anyio.fail_after(10):
        while psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE:
            await anyio.sleep(0.05)


async def test_a_process_that_served_enough_sessions_ends_with_its_last_one(site):
    heard = Heard()
    async with ChromiumBrowser(config_for(site, recycle_after_sessions=2), heard) as browser:
        async with driving(browser) as first, driving(browser) as second:
            old = chromium_of(first)
            assert chromium_of(second) is old
            async with driving(browser) as third:
                assert chromium_of(third).pid != old.pid
                assert heard.events == [BrowserRecycled(worker=0, why="served 2 sessions")]
                assert (await first.do()).url == "about:blank"
        await gone(old.pid)


async def test_an_old_or_large_process_is_replaced(site):
    for options in ({"recycle_after_seconds": 0.2}, {"recycle_above_megabytes": 1, "recycle_after_seconds": 1.0}):
        heard = Heard()
        async with ChromiumBrowser(config_for(site, **options), heard) as browser:
            async with driving(browser) as session:
                old = chromium_of(session).pid
            await anyio.sleep(1.2)
            async with driving(browser) as session:
                assert chromium_of(session).pid != old
            assert len(heard.events) == 1
            await gone(old)


async def test_a_process_over_its_memory_is_replaced(site, monkeypatch):
    monkeypatch.setattr("webgym.browser.server.chromium.process.MEMORY_CHECK_SECONDS", 0.0)
    heard = Heard()
    async with ChromiumBrowser(config_for(site, recycle_above_megabytes=1), heard) as browser:
        async with driving(browser) as session:
            old = chromium_of(session).pid
        async with driving(browser) as session:
            assert chromium_of(session).pid != old
    assert heard.events[0].why.startswith("uses ")


async def test_a_death_ends_its_sessions_promptly_and_the_next_open_starts_anew(site):
    heard = Heard()
    async with ChromiumBrowser(config_for(site), heard) as browser:
        async with driving(browser) as session, driving(browser) as idle:
            died = chromium_of(session)
            lost: list[SessionLost] = []

            async def step() -> None:
                with pytest.raises(SessionLost) as error:
                    await session.do(Wait(10))
                lost.append(error.value)

            began = time.monotonic()
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(step)
                await anyio.sleep(0.3)
                os.kill(died.pid, signal.SIGKILL)
            assert time.monotonic() - began < 3
            assert lost[0].reason == LossReason.BROWSER_DIED
            with pytest.raises(SessionLost):
                await idle.do()
            async with driving(browser) as fresh:
                assert (await fresh.do()).url == "about:blank"
        assert heard.events == [BrowserDied(worker=0, sessions=2)]


async def test_a_step_waiting_for_the_page_is_told_of_the_death(site):
    site.clear()
    url = site.silence("/silence")
    async with ChromiumBrowser(config_for(site)) as browser, driving(browser) as session:
        began = time.monotonic()
        async with anyio.create_task_group() as tasks:

            async def step() -> None:
                with pytest.raises(SessionLost):
                    await session.go(url)

            tasks.start_soon(step)
            await anyio.sleep(0.5)
            os.kill(chromium_of(session).pid, signal.SIGKILL)
        assert time.monotonic() - began < 4


def test_the_death_of_the_driver_is_a_broken_browser():
    """In a loop of its own: Playwright leaves an error there that nobody retrieves."""

    async def kill_the_driver() -> None:
        async with ChromiumBrowser() as browser:
            async with driving(browser) as session:
                pid = chromium_of(session).pid
                children = psutil.Process().children()
                driver = next(child for child in children if "run-driver" in child.cmdline() and _is_parent(child, pid))
                driver.kill()
                with anyio.fail_after(30):
                    assert "driver" in await browser.wait_broken()
                with pytest.raises(SessionLost):
                    await session.do()
            await gone(pid)

    anyio.run(kill_the_driver)


def _is_parent(process: psutil.Process, pid: int) -> bool:
    return pid in {child.pid for child in process.children(recursive=True)}


async def test_leaving_the_browser_ends_every_process(site):
    async with ChromiumBrowser(config_for(site)) as browser, driving(browser) as session:
        pid = chromium_of(session).pid
    await gone(pid)


async def test_a_cancelled_step_leaves_a_session_that_can_be_closed(site):
    site.clear()
    url = site.page("<script>for(;;);</script>")
    async with ChromiumBrowser(config_for(site)) as browser:
        began = time.monotonic()
        with anyio.move_on_after(1.0):
            async with browser.open(SessionSpec()) as session:
                await session.step(None, QUICK)
                await session.step(Navigate(url), QUICK)
        assert time.monotonic() - began < 8
        async with driving(browser) as fresh:
            assert len(chromium_of(fresh).browser.contexts) == 1


async def test_a_cancelled_open_leaves_no_context_behind(site):
    async with ChromiumBrowser(config_for(site)) as browser, driving(browser) as keeper:
        for delay in (0.001, 0.01, 0.03, 0.06, 0.1):
            with anyio.move_on_after(delay):
                async with driving(browser):
                    await anyio.sleep(1)
        assert len(chromium_of(keeper).browser.contexts) == 1
        assert chromium_of(keeper).sessions == 1


async def test_files_of_the_browser_are_below_the_temporary_folder(site, tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    async with ChromiumBrowser(config_for(site)) as browser, driving(browser):
        names = {path.name for path in tmp_path.iterdir()}
        assert any("profile" in name for name in names)
        assert any(name.startswith("webgym-downloads-") for name in names)
    left = {path.name for path in tmp_path.iterdir() if not path.name.startswith("playwright-artifacts")}
    assert not any(name.startswith("webgym-downloads-") or "profile" in name for name in left)


async def test_a_browser_that_is_not_there_is_a_configuration_error(site):
    with pytest.raises(ConfigError, match="WEBGYM_CHROMIUM"):
        async with ChromiumBrowser(config_for(site, executable="/nowhere/chromium")):
            pass


async def test_a_browser_leaves_no_files_behind(pages, tmp_path_factory, monkeypatch: pytest.MonkeyPatch):
    folder = tmp_path_factory.mktemp("left")
    monkeypatch.setattr(tempfile, "tempdir", str(folder))
    async with ChromiumBrowser(config_for(pages)) as browser, driving(browser) as session:
        await session.go(pages.page("x"))
    assert list(folder.iterdir()) == []
