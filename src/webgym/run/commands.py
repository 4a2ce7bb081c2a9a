"""`webgym rollout` and `webgym eval` as Python functions, without terminal output."""

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
from webgym.run.choose import RunChoice, RunRequest, choose
from webgym.run.config import RolloutConfig, RunConfig
from webgym.run.load import Override
from webgym.run.progress import NoProgress, ProgressListener
from webgym.run.run import run
from webgym.run.summary import Summary, summarise
from webgym.store.meta import META_FILE
from webgym.store.read import open_run

T = TypeVar("T")
R = TypeVar("R", bound=RunConfig)


@dataclass(frozen=True, slots=True)
class RunResult:
    """The result of a run."""

    folder: Path
    """Run folder, accepted by `webgym.load_run`, `webgym view` and `resume`."""
    summary: Summary
    """Statistics over all attempts, including those before a resume."""
    complete: bool
    """Whether all planned attempts finished."""
    interrupted: bool
    """Whether a signal such as Ctrl-C stopped the run early; it can be resumed."""


def run_rollout(
    config: str | Path | None = None,
    overrides: Sequence[str] = (),
    *,
    resume: str | Path | None = None,
    progress: ProgressListener | None = None,
    **settings: Any,
) -> RunResult:
    """Let an agent attempt tasks and store every trajectory, as `webgym rollout` does.

    Args:
        config: A TOML file, or the name of one that ships with the package.
        overrides: Dotted overrides, as on the command line: `["tasks.count=50", "agent.use=oracle"]`.
        resume: Folder of a run to resume, with its stored configuration.
        progress: Receives progress; by default nothing is reported.
        **settings: Overrides by section: `tasks={"count": 50}, agent={"use": "oracle"}`.

    Raises:
        WebGymError: The run is not possible as configured; the message says why.
    """
    return waited(partial(run_rollout_async, config, overrides, resume=resume, progress=progress, **settings))


async def run_rollout_async(
    config: str | Path | None = None,
    overrides: Sequence[str] = (),
    *,
    resume: str | Path | None = None,
    progress: ProgressListener | None = None,
    **settings: Any,
) -> RunResult:
    """Async version of `run_rollout`."""
    wanted = wanted_by("run_rollout", config, overrides, resume, settings)
    return await carry_out(choose("rollout", RolloutConfig, wanted), progress)


def run_eval(
    config: str | Path | None = None,
    overrides: Sequence[str] = (),
    *,
    resume: str | Path | None = None,
    progress: ProgressListener | None = None,
    **settings: Any,
) -> RunResult:
    """Attempt every task of a test set, as `webgym eval` does. Arguments and errors are those of `run_rollout`."""
    return waited(partial(run_eval_async, config, overrides, resume=resume, progress=progress, **settings))


async def run_eval_async(
    config: str | Path | None = None,
    overrides: Sequence[str] = (),
    *,
    resume: str | Path | None = None,
    progress: ProgressListener | None = None,
    **settings: Any,
) -> RunResult:
    """Async version of `run_eval`."""
    wanted = wanted_by("run_eval", config, overrides, resume, settings)
    return await carry_out(choose("eval", RunConfig, wanted), progress)


async def carry_out(chosen: RunChoice[R], progress: ProgressListener | None = None) -> RunResult:
    """Make the attempts of a run and summarise them."""
    check_browser(chosen.config)
    progress = progress or NoProgress()
    for note in chosen.notes:
        progress.on_message(note)
    ran = await run(chosen.config, chosen.folder, chosen.meta, progress)
    summary = await anyio.to_thread.run_sync(_summary, chosen.folder)
    return RunResult(chosen.folder, summary, ran.complete, ran.interrupted)


def _summary(folder: Path) -> Summary:
    if not (folder / META_FILE).is_file():  # interrupted before it was created
        return summarise([])
    with open_run(folder) as stored:
        return summarise(stored.rows())


def check_browser(config: RunConfig) -> None:
    """Check that Chromium is installed if the run starts its own fleet, before the run is created.

    Raises:
        ConfigError: It is not.
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
) -> RunRequest:
    """Return the request of a Python caller; `overrides` take precedence over `settings`."""
    given: list[Override] = [*([settings] if settings else []), *overrides]
    return RunRequest(
        config=None if config is None else Path(config),
        overrides=given,
        resume=None if resume is None else Path(resume),
        command=f"webgym.{function}(…)",
    )


def waited(work: Callable[[], Awaitable[T]]) -> T:
    """Run a coroutine to completion; in another thread if this one already has an event loop, as in notebooks."""
    options = {"use_uvloop": True}
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return anyio.run(work, backend_options=options)
    with start_blocking_portal(backend_options=options) as portal:
        return portal.call(work)
