"""A client that holds sessions and steps them until it is killed."""

from __future__ import annotations

import sys

import anyio

from webgym.browser.client import connect
from webgym.records.action import Wait
from webgym.records.session import SessionSpec


async def main(url: str, token: str, page: str, count: int) -> None:
    ready = 0

    async def hold() -> None:
        nonlocal ready
        async with client.open(SessionSpec(start_url=page)) as session:
            ready += 1
            if ready == count:
                print("ready", flush=True)
            while True:
                await session.step(Wait(5.0))  # killed in mid-step
                await session.observe()

    async with connect(url, token=token) as client, anyio.create_task_group() as tasks:
        for _ in range(count):
            tasks.start_soon(hold)


if __name__ == "__main__":
    anyio.run(main, sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
