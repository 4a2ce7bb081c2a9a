"""One attempt at one task: a state of the site, a session on it, and the exact judge."""

from __future__ import annotations

import logging
from contextlib import AsyncExitStack

import anyio
import anyio.to_thread

from webgym.errors import WebGymError
from webgym.interop.gym.grounds import EpisodeGround
from webgym.interop.gym.task_sampler import SiteTask
from webgym.records.action import Action
from webgym.records.observation import Capture, Viewport
from webgym.records.session import Look, SessionSpec
from webgym.records.verdict import Verdict
from webgym.sites.judge import judge
from webgym.sites.oracle.oracle import decide
from webgym.sites.states import Snapshot
from webgym.sites.tasks.errands import errands_of
from webgym.stages import Session

logger = logging.getLogger(__name__)

LOOK = Look()
_ORACLE_LOOK = Look(screenshot=None, elements=True)
_CLOSE_SECONDS = 30.0


class SiteEpisode:
    """An attempt in progress. Create it with `begin`, and close it."""

    def __init__(self, ground: EpisodeGround, site_task: SiteTask, key: str) -> None:
        self.site_task = site_task
        self._control = ground.control
        self._key = key
        self._session: Session | None = None
        self._state = AsyncExitStack()
        self._lease = AsyncExitStack()

    @classmethod
    async def begin(cls, ground: EpisodeGround, site_task: SiteTask, viewport: Viewport) -> tuple[SiteEpisode, Capture]:
        """Create a fresh site state and a session on it. Return the episode and its first capture."""
        state = AsyncExitStack()
        key = await state.enter_async_context(ground.control.state(site_task.site.name))
        episode = cls(ground, site_task, key)
        episode._state = state
        try:
            spec = SessionSpec(
                start_url=site_task.task.website,
                viewport=viewport,
                state_key=key,
                labels={"task": site_task.task.task_id, "for": "gymnasium"},
            )
            episode._session = await episode._lease.enter_async_context(ground.browser.open(spec))
            return episode, await episode._session.step(None, LOOK)
        except BaseException:
            await episode.close()
            raise

    async def step(self, action: Action) -> Capture:
        """Act, wait for the page to settle, observe."""
        return await self._here.step(action, LOOK)

    async def oracle_action(self) -> Action:
        """Return the action of the site's oracle. Has no side effects."""
        seen = (await self._here.step(None, _ORACLE_LOOK)).observation
        site_task = self.site_task
        return decide(
            site_task.site, errands_of(site_task.task, site_task.site.family), seen, await self._snapshot()
        ).action

    async def verdict(self, answer: str) -> Verdict:
        """Close the session, then judge the state of the site and the answer."""
        await self._give_back(self._lease)
        self._session = None
        snapshot = await self._snapshot()
        return await anyio.to_thread.run_sync(judge, self.site_task.site, self.site_task.task, snapshot, answer)

    async def close(self) -> None:
        """Release the session and the site state. Errors are logged, not raised: what cannot be released expires."""
        self._session = None
        await self._give_back(self._lease)
        await self._give_back(self._state)

    @property
    def _here(self) -> Session:
        if self._session is None:
            raise RuntimeError("this episode is over")
        return self._session

    async def _snapshot(self) -> Snapshot:
        return await self._control.read(self._key, self.site_task.site.name)

    async def _give_back(self, stack: AsyncExitStack) -> None:
        with anyio.move_on_after(_CLOSE_SECONDS, shield=True):
            try:
                await stack.aclose()
            except WebGymError as error:
                logger.debug("could not release a session or site state: %s", error)
