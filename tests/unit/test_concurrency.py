"""What a block raises comes out as it is, though tasks run beside it; and so does what one of them raises."""

# ruff: noqa: PT012 - it is blocks that are tested here
from __future__ import annotations

import contextlib
import traceback

import anyio
import pytest

from webgym.browser.client import connect
from webgym.concurrency import background, ungrouped
from webgym.curves.about import RunFacts
from webgym.curves.serve import serve_curves
from webgym.errors import ConfigError, SessionLost, TransportError
from webgym.monitor.board import Board
from webgym.monitor.serve import serve_monitor
from webgym.monitor.wire import BoardFacts as Watched
from webgym.records.session import SessionSpec
from webgym.records.trajectory import Attempt, Ending
from webgym.rollout.pool import open_pool
from webgym.run.interrupt import interruptible
from webgym.telemetry.events import EventBus
from webgym_hermetic.serve import serve_sites

pytestmark = pytest.mark.anyio


async def fail(error: BaseException) -> None:
    raise error


async def never(_: Attempt) -> Ending:
    return await anyio.sleep_forever()  # type: ignore[return-value]


@contextlib.asynccontextmanager
async def interrupting():
    async with interruptible(print) as interrupt, open_pool(never, EventBus(), slots=1) as pool:
        interrupt.drain(pool)
        yield interrupt


BLOCKS = {
    "connect": lambda: connect("http://127.0.0.1:9", token="none"),
    "open_pool": lambda: open_pool(never, EventBus(), slots=1),
    "interruptible": interrupting,
    "serve_curves": lambda: serve_curves(list, about=RunFacts("run")),
    "serve_monitor": lambda: serve_monitor(
        Board(), screenshot=lambda _: None, steps=lambda _: (), about=Watched(run="run")
    ),
    "serve_sites": lambda: serve_sites([], token="none"),
}


@pytest.mark.parametrize("name", BLOCKS)
async def test_an_error_of_the_users_block_comes_out_as_it_is(name):
    mine = ValueError("mine")
    with pytest.raises(ValueError, match="mine") as caught:
        async with BLOCKS[name]():
            raise mine
    assert caught.value is mine
    assert mine.__context__ is None
    assert mine.__cause__ is None


async def test_a_fleet_that_is_not_there_can_be_caught_around_the_readmes_example():
    with pytest.raises(TransportError, match="no fleet answers"):
        async with (
            connect("http://127.0.0.1:9", token="none") as browser,
            browser.open(SessionSpec(start_url="https://example.com"), wait_seconds=0),
        ):
            pass


async def test_an_error_of_a_task_ends_the_block_and_comes_out_alone():
    broken = SessionLost("gone", reason="crashed")
    broken.__cause__ = OSError("the cable")
    with pytest.raises(SessionLost, match="gone") as caught:
        async with background() as tasks:
            tasks.start_soon(fail, broken)
            await anyio.sleep_forever()
    assert caught.value is broken
    assert isinstance(broken.__cause__, OSError)
    assert broken.__context__ is None


async def test_an_error_of_a_task_comes_out_of_that_tasks_own_groups_too():
    async def fails_deep_inside() -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(fail, ConfigError("no such model"))

    with pytest.raises(ConfigError, match="no such model"):
        async with background() as tasks:
            tasks.start_soon(fails_deep_inside)
            await anyio.sleep_forever()


async def test_several_tasks_that_fail_are_told_together():
    with pytest.raises(ExceptionGroup) as caught:
        async with background() as tasks:
            tasks.start_soon(fail, ConfigError("one"))
            tasks.start_soon(fail, KeyError("two"))
            await anyio.sleep_forever()
    assert [type(error) for error in caught.value.exceptions] == [ConfigError, KeyError]


async def test_what_breaks_while_the_tasks_end_is_told_beside_the_error_of_the_block():
    async def breaks_on_its_way_down() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            raise OSError("on the way down")

    with pytest.raises(ValueError, match="mine") as caught:
        async with background() as tasks:
            tasks.start_soon(breaks_on_its_way_down)
            await anyio.lowlevel.checkpoint()
            raise ValueError("mine")
    told = "".join(traceback.format_exception(caught.value))
    assert "OSError: on the way down" in told
    assert "breaks_on_its_way_down" in told


async def test_an_error_that_only_follows_from_a_tasks_does_not_hide_it():
    with pytest.raises(ExceptionGroup) as caught:
        async with background() as tasks:
            tasks.start_soon(fail, ConfigError("cause"))
            try:
                await anyio.sleep_forever()
            finally:
                raise ValueError("consequence")
    assert [str(error) for error in caught.value.exceptions] == ["cause", "consequence"]


async def test_a_group_that_the_block_raises_itself_stays_one():
    mine = ExceptionGroup("mine", [ValueError("one")])
    with pytest.raises(ExceptionGroup) as caught:
        async with background():
            raise mine
    assert caught.value is mine


async def test_the_traceback_begins_and_ends_where_it_would_without_the_tasks():
    def names(error: BaseException) -> list[str]:
        return [frame.name for frame in traceback.extract_tb(error.__traceback__)]

    with pytest.raises(ConfigError) as caught:
        async with background():
            await fail(ConfigError("here"))
    assert names(caught.value)[-2:] == [names(caught.value)[0], "fail"]


@pytest.mark.parametrize("kind", [KeyboardInterrupt, SystemExit])
async def test_what_ends_a_program_is_not_wrapped_either(kind):
    with pytest.raises(kind):
        async with background() as tasks:
            tasks.start_soon(anyio.sleep_forever)
            raise kind


async def test_a_block_that_is_cancelled_ends_with_its_tasks_and_is_no_error():
    ended: list[str] = []

    async def lives() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            ended.append("task")

    with anyio.CancelScope() as scope:
        async with background() as tasks:
            tasks.start_soon(lives)
            await anyio.lowlevel.checkpoint()
            scope.cancel()
            await anyio.sleep_forever()
    assert scope.cancelled_caught
    assert ended == ["task"]


async def test_an_error_is_not_lost_when_the_block_is_cancelled_while_its_tasks_end():
    async def slow_to_end() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            scope.cancel()
            with anyio.CancelScope(shield=True):
                await anyio.sleep(0.01)

    with anyio.CancelScope() as scope:
        with pytest.raises(ValueError, match="mine"):
            async with background() as tasks:
                tasks.start_soon(slow_to_end)
                await anyio.lowlevel.checkpoint()
                raise ValueError("mine")


async def test_a_task_may_end_the_block_by_the_groups_own_scope():
    reached = False
    async with background() as tasks:
        tasks.cancel_scope.cancel()
        await anyio.sleep_forever()
        reached = True
    assert not reached


def test_the_first_of_a_group_is_raised_by_itself_with_the_others_behind_it():
    group = ExceptionGroup("", [ExceptionGroup("", [ConfigError("first")]), ConfigError("second")])
    with pytest.raises(ConfigError, match="first") as caught, ungrouped():
        raise group
    assert caught.value.__cause__ is group
