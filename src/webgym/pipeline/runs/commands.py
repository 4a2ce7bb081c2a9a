"""`webgym rollout` and `webgym eval` as functions: the same runs, without a word on the terminal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import anyio
import anyio.to_thread
from anyio.from_thread import start_blocking_portal

from webgym.browser.server.chromium.display import check_headed
from webgym.browser.server.chromium.executable import find_executable
from webgym.pipeline.runs.choose import Chosen, Wanted, choose
from webgym.pipeline.runs.config import RolloutConfig, RunConfig
from webgym.pipeline.runs.load import Override
from webgym.pipeline.runs.run import Audience, Silent, run
from webgym.pipeline.runs.summary import Summary, summarise
from webgym.store.read import open_run

T = TypeVar("T")
R = TypeVar("R", bound=RunConfig)


@dataclass(frozen=True, slots=True)
class RunResult:
    """What came of a run."""

    folder: Path
    """For `webgym.load_run`, `webgym view` and `resume`."""
    summary: Summary
    """Of all its attempts, those before it was resumed included."""
    complete: bool
    interrupted: bool
    """Whether Control-C ended it early; it can be resumed."""


def run_rollout(
    config: str | Path | None = None,
    overrides: Sequence[str] = (),
    *,
    resume: str | Path | None = None,
    audience: Audience | None = None,
    **settings: Any,
) -> RunResult:
    """Let an agent attempt tasks and store every trajectory, as `webgym rollout` does.

    Args:
        config: A TOML file, or the name of one that ships with the package.
        overrides: As they are typed: `["tasks.count=50", "agent.use=oracle"]`.
        resume: Folder of a run to go on with, as it was begun.
        audience: Who is told how it goes; nobody by default.
        **settings: Sections and what is different in them: `tasks={"count": 50}, agent={"use": "oracle"}`.

    Raises:
        WebGymError: It cannot be run like this; the message says why.
    """
    return waited(partial(run_rollout_async, config, overrides, resume=resume, audience=audience, **settings))


async def run_rollout_async(
    config: str | Path | None = None,
    overrides: Sequence[str] = (),
    *,
    resume: str | Path | None = None,
    audience: Audience | None = None,
    **settings: Any,
) -> RunResult:
    """`run_rollout`, for code in an event loop."""
    wanted = wanted_by("run_rollout", config, overrides, resume, settings)
    return await carry_out(choose("rollout", RolloutConfig, wanted), audience)


def run_eval(
    config: str | Path | None = None,
    overrides: Sequence[str] = (),
    *,
    resume: str | Path | None = None,
    audience: Audience | None = None,
    **settings: Any,
) -> RunResult:
    """Attempt every task of a test set, as `webgym eval` does. Arguments and errors are those of `run_rollout`."""
    return waited(partial(run_eval_async, config, overrides, resume=resume, audience=audience, **settings))


async def run_eval_async(
    config: str | Path | None = None,
    overrides: Sequence[str] = (),
    *,
    resume: str | Path | None = None,
    audience: Audience | None = None,
    **settings: Any,
) -> RunResult:
    """`run_eval`, for code in an event loop."""
    wanted = wanted_by("run_eval", config, overrides, resume, settings)
    return await carry_out(choose("eval", RunConfig, wanted), audience)


async def carry_out(chosen: Chosen[R], audience: Audience | None = None) -> RunResult:
    """Make the attempts of a run, and sum them up."""
    check_browser(chosen.config)
    ran = await run(chosen.config, chosen.folder, chosen.meta, audience or Silent())
    summary = await anyio.to_thread.run_sync(_summary, chosen.folder)
    return RunResult(chosen.folder, summary, ran.complete, ran.interrupted)


def _summary(folder: Path) -> Summary:
    with open_run(folder) as stored:
        return summarise(stored.rows())


def check_browser(config: RunConfig) -> None:
    """A machine without one is told before there is a run.

    Raises:
        ConfigError: The run is to have a fleet of its own, and there is no such Chromium here.
    """
    if config.browser.headed:
        check_headed()
    elif not config.browser.url:
        find_executable()


def wanted_by(
    function: str,
    config: str | Path | None,
    overrides: Sequence[str],
    resume: str | Path | None,
    settings: dict[str, Any],
) -> Wanted:
    """What a caller in Python asks for. What is typed has the last word, as it has on the command line."""
    given: list[Override] = [*([settings] if settings else []), *overrides]
    return Wanted(
        config=None if config is None else Path(config),
        overrides=given,
        resume=None if resume is None else Path(resume),
        command=f"webgym.{function}(…)",
    )


def waited(work: Callable[[], Awaitable[T]]) -> T:
    """What comes of it. In a notebook, whose thread has an event loop already, another thread does it."""
    options = {"use_uvloop": True}
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return anyio.run(work, backend_options=options)
    with start_blocking_portal(backend_options=options) as portal:
        return portal.call(work)
