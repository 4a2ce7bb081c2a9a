"""A policy that follows a folder of weights, loading newer versions as they appear."""

from __future__ import annotations

import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from webgym.engine.policy import EnginePolicy
from webgym.engine.process import EngineProcess, open_engine
from webgym.engine.request import SamplingParams
from webgym.engine.settings import EngineSettings
from webgym.errors import WebGymError
from webgym.records.sample import PolicyVersion
from webgym_nano.folder import WEIGHTS

LOOK_SECONDS = 2.0
_NUMBER = re.compile(r"(\d+)$")
_MOST_TOKENS = 140
"""Maximum tokens of a reply: a name, a place, a text."""


def newest_version(folder: Path) -> PolicyVersion | None:
    """Return the complete version in the folder with the highest number at the end of its name."""
    found = [
        PolicyVersion(int(number[1]), str(path))
        for path in (folder.iterdir() if folder.is_dir() else ())
        if (number := _NUMBER.search(path.name)) and (path / WEIGHTS).is_file()
    ]
    return max(found, key=lambda one: one.version, default=None)


class Following:
    """The newest policy available; None until the first weights appear."""

    def __init__(self) -> None:
        self.policy: EnginePolicy | None = None
        self.version = -1
        self.trouble = ""

    async def run(self, folder: Path, settings: EngineSettings, sampling: SamplingParams) -> None:
        """Follow a folder forever."""
        while (first := newest_version(folder)) is None:  # noqa: ASYNC110 - another process writes it
            await anyio.sleep(LOOK_SECONDS)
        async with open_engine(first, settings) as engine:
            self.policy, self.version = EnginePolicy(engine, sampling), first.version
            while True:
                await anyio.sleep(LOOK_SECONDS)
                newest = newest_version(folder)
                if newest is not None and newest.version > self.version:
                    await self._refresh(engine, newest)

    async def _refresh(self, engine: EngineProcess, newest: PolicyVersion) -> None:
        try:
            await engine.refresh(newest)
            self.version = newest.version
        except WebGymError as error:
            self.trouble = str(error)  # keep the current weights, and try again


@asynccontextmanager
async def following(
    folder: Path | None,
    *,
    temperature: float = 0.6,
    settings: EngineSettings = EngineSettings(length=1024),
) -> AsyncGenerator[Following]:
    """Follow a folder of versions for the duration of the block; without a folder there is never a policy."""
    followed = Following()
    async with anyio.create_task_group() as tasks:
        if folder is not None:
            sampling = SamplingParams(temperature=temperature, max_tokens=_MOST_TOKENS)
            tasks.start_soon(followed.run, folder, settings, sampling)
        yield followed
        tasks.cancel_scope.cancel()
