"""Writes a run until it is killed, and says what it has done: a process of its own for `test_store_crash`."""

from __future__ import annotations

import sys
from pathlib import Path

import anyio
from tests.unit.store.making import META, attempt, ending, step

from webgym.store.garbage_collection import collect
from webgym.store.write import RunWriter, open_writer

AT_ONCE = 8
STEPS = 5
SIZE = 3_000


def picture_seed(number: int, one: int) -> int:
    return 100 * number + one


async def one_attempt(writer: RunWriter, number: int) -> None:
    await writer.begin(attempt(number))
    for one in range(1, STEPS + 1):
        await writer.step(attempt(number), *step(one, picture_seed=picture_seed(number, one), size=SIZE))
        print("step", flush=True)
    await writer.end(attempt(number), ending(steps=STEPS, ended=float(number)), {})
    print(f"over {attempt(number).attempt_id}", flush=True)


async def write(folder: Path, attempts: int, budget: int) -> None:
    async with open_writer(folder, META, image_budget_bytes=budget) as writer:
        done = writer.finished()
        left = [number for number in range(attempts) if attempt(number).attempt_id not in done]

        async def work() -> None:
            while left:
                await one_attempt(writer, left.pop(0))

        async with anyio.create_task_group() as group:
            for _ in range(AT_ONCE):
                group.start_soon(work)
    print("done", flush=True)


def main() -> None:
    what, folder, *rest = sys.argv[1:]
    if what == "gc":
        print("step", flush=True)
        collect(Path(folder))
        print("done", flush=True)
    else:
        attempts, budget = map(int, rest)
        anyio.run(write, Path(folder), attempts, budget)


if __name__ == "__main__":
    main()
