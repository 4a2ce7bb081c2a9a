"""Gates: order, limits, cancellation, and limits that follow measured durations."""

from __future__ import annotations

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from webgym.rollout.gate import Gate

pytestmark = pytest.mark.anyio


async def hold(gate: Gate, log: list[int], number: int, go: anyio.Event) -> None:
    await gate.enter()
    log.append(number)
    await go.wait()
    gate.leave(0.1)


async def settle() -> None:
    for _ in range(5):
        await anyio.lowlevel.checkpoint()


async def test_no_more_run_at_once_than_the_limit_and_the_first_to_come_is_the_first_to_go():
    gate, log, go = Gate(2), [], anyio.Event()
    async with anyio.create_task_group() as tasks:
        for number in range(5):
            tasks.start_soon(hold, gate, log, number, go)
            await settle()
        assert log == [0, 1]
        assert (gate.status().running, gate.status().waiting) == (2, 3)
        go.set()
    assert log == [0, 1, 2, 3, 4]
    assert (gate.status().running, gate.status().waiting, gate.status().done) == (0, 0, 5)


async def test_who_is_cancelled_while_waiting_leaves_the_queue():
    gate, log, go = Gate(1), [], anyio.Event()
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(hold, gate, log, 0, go)
        await settle()
        with anyio.move_on_after(0.01):
            await gate.enter()
        assert gate.status().waiting == 0
        go.set()
    await gate.enter()
    assert gate.status().running == 1


async def test_who_is_cancelled_when_just_let_in_gives_the_place_to_the_next():
    gate, log, go = Gate(1), [], anyio.Event()
    await gate.enter()
    async with anyio.create_task_group() as tasks:
        scope = anyio.CancelScope()

        async def unlucky() -> None:
            with scope:
                await gate.enter()
                log.append(-1)

        tasks.start_soon(unlucky)
        await settle()
        tasks.start_soon(hold, gate, log, 1, go)
        await settle()
        scope.cancel()
        gate.leave(0.1)  # lets one in who is on the way out
        await settle()
        assert log == [1]
        go.set()
    assert gate.status().running == 0


async def test_a_larger_limit_lets_the_waiting_in_at_once():
    gate, log, go = Gate(1), [], anyio.Event()
    async with anyio.create_task_group() as tasks:
        for number in range(3):
            tasks.start_soon(hold, gate, log, number, go)
        await settle()
        gate.resize(3)
        await settle()
        assert sorted(log) == [0, 1, 2]
        go.set()


async def demanded(gate: Gate, seconds: float, runs: int) -> None:
    """Runs of this length while somebody always waits."""
    async with anyio.create_task_group() as tasks:

        async def one() -> None:
            await gate.enter()
            await anyio.lowlevel.checkpoint()
            gate.leave(seconds)

        for _ in range(runs):
            tasks.start_soon(one)


async def test_the_limit_grows_while_there_is_demand_and_durations_stay_usual():
    gate = Gate(4, most=64)
    await demanded(gate, 0.1, 600)
    assert gate.limit > 16


async def test_the_limit_shrinks_when_the_operation_gets_slow():
    changes = []
    gate = Gate(32, most=64, changed=lambda limit, why: changes.append((limit, why)))
    await demanded(gate, 0.1, 64)
    before = gate.limit
    await demanded(gate, 1.0, 160)
    assert gate.limit < before
    assert changes[-1][1] == "slower than usual"


async def test_the_limit_does_not_grow_without_demand():
    gate = Gate(4, most=64)
    for _ in range(200):
        await gate.enter()
        gate.leave(0.1)
    assert gate.limit == 4


@given(st.lists(st.floats(0.0, 100.0), min_size=40, max_size=400))
def test_the_limit_stays_within_its_bounds_whatever_is_measured(durations):
    gate = Gate(8, least=2, most=32)

    async def measure() -> None:
        for seconds in durations:
            await gate.enter()
            gate._wanted = True
            gate.leave(seconds)
            assert 2 <= gate.limit <= 32

    anyio.run(measure)
