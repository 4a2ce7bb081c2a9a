"""Wire the function that makes attempts, from a configuration."""

from __future__ import annotations

from webgym.records.trajectory import Attempt, Ending
from webgym.rollout.gates import Gates
from webgym.rollout.play import Tools
from webgym.rollout.pool import Roll
from webgym.rollout.roll import roll
from webgym.run.attempt_resources import AttemptResources
from webgym.run.config import RunConfig
from webgym.run.episodes import EnvironmentEpisodes, Players
from webgym.run.rejected_prompts import unless_rejected
from webgym.stages import Browser, Events, Recorder


def wired(
    config: RunConfig,
    resources: AttemptResources,
    players: Players,
    recorder: Recorder,
    events: Events,
    *,
    browser: Browser | None = None,
) -> Roll:
    """Return a function that makes one attempt with this agent and judge; `browser` replaces that of `resources`."""
    episodes = EnvironmentEpisodes(players, resources.environment, resources.terms(config))
    gates = Gates(events, config.pool.gates)
    tools = Tools(browser or resources.browser, gates, recorder, events, config.limits)

    async def one(attempt: Attempt) -> Ending:
        return await roll(attempt, episodes, tools, tries=config.pool.tries)

    return unless_rejected(one, config)
