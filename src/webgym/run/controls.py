"""Control experiments: training runs in which the policy should learn nothing. If it does, something leaks."""

from __future__ import annotations

import dataclasses
import functools
import io
from collections.abc import AsyncGenerator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import msgspec
from PIL import Image

from webgym.records.action import Action
from webgym.records.observation import Blob, Capture, Viewport, address_of
from webgym.records.session import Look, SessionSpec
from webgym.records.task import Task
from webgym.records.trajectory import Outcome, Trajectory, reward
from webgym.rng import Rng
from webgym.run.episodes import MakeAgent, Players
from webgym.run.shuffle import shuffled
from webgym.stages import Agent, AttemptSetup, Browser, Session


def shuffled_rewards(trajectories: Sequence[Trajectory], seed: int, name: str) -> tuple[Trajectory, ...]:
    """Permute the outcomes among the graded attempts, and the rewards among each one's branches.

    Steps and final observations stay in place.
    """
    outcomes = [
        trajectory.ending.outcome if reward(trajectory.ending.outcome) is not None else None
        for trajectory in trajectories
    ]
    dealt = enumerate(zip(trajectories, shuffled(outcomes, seed, name), strict=True))
    return tuple(
        one if outcome is None else _with_outcome(one, outcome, Rng("shuffled", seed, name, place))
        for place, (one, outcome) in dealt
    )


def _with_outcome(trajectory: Trajectory, outcome: Outcome, rng: Rng) -> Trajectory:
    branches = tuple(rng.shuffled(list(trajectory.ending.branch_rewards)))
    ending = msgspec.structs.replace(trajectory.ending, outcome=outcome, branch_rewards=branches)
    return msgspec.structs.replace(trajectory, ending=ending)


def swapped_instructions(players: Players, tasks: Sequence[Task], seed: int) -> Players:
    """Give every agent the instruction of another task; the judge still grades the original one."""

    def make(setup: AttemptSetup) -> Agent:
        mine = setup.attempt.task
        others = [task for task in tasks if task.instruction != mine.instruction] or [mine]
        other = others[Rng("swapped", seed, mine.task_id).below(len(others))]
        told = msgspec.structs.replace(mine, instruction=other.instruction)
        attempt = msgspec.structs.replace(setup.attempt, task=told)
        return inner(dataclasses.replace(setup, attempt=attempt))

    inner: MakeAgent = players.agent
    return Players(make, players.look, players.judge)


class BlankBrowser:
    """A browser whose observations are blank: white screenshots, no elements, no text."""

    def __init__(self, inner: Browser) -> None:
        self._inner = inner

    def open(self, spec: SessionSpec) -> AbstractAsyncContextManager[Session]:
        """Open a session of the wrapped browser."""
        return self._opened(spec)

    @asynccontextmanager
    async def _opened(self, spec: SessionSpec) -> AsyncGenerator[Session]:
        async with self._inner.open(spec) as session:
            yield _Blind(session)


class _Blind:
    def __init__(self, inner: Session) -> None:
        self._inner = inner

    async def step(self, action: Action | None, look: Look) -> Capture:
        capture = await self._inner.step(action, look)
        seen = capture.observation
        blobs = dict(capture.blobs)
        blind = msgspec.structs.replace(
            seen,
            screenshot=_whitened(seen.screenshot, seen.viewport, blobs),
            labelled=_whitened(seen.labelled, seen.viewport, blobs),
            marks=None if seen.marks is None else (),
            elements=None if seen.elements is None else (),
            lines=None if seen.lines is None else (),
            accessibility=None if seen.accessibility is None else "",
        )
        return Capture(blind, blobs)

    async def blob(self, address: str) -> bytes:
        return await self._inner.blob(address)


def _whitened(shot: Blob | None, viewport: Viewport, blobs: dict[str, bytes]) -> Blob | None:
    """Replace a screenshot by a white one of the same format."""
    if shot is None:
        return None
    blobs.pop(shot.address, None)
    data = _blank(viewport, shot.media_type)
    blobs[address_of(data)] = data
    return Blob(address_of(data), shot.media_type, len(data))


@functools.lru_cache(maxsize=8)
def _blank(viewport: Viewport, media_type: str) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (viewport.width, viewport.height), "white").save(out, media_type.removeprefix("image/"))
    return out.getvalue()
