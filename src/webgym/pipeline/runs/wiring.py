"""Wire the function that makes attempts, from a configuration."""

from __future__ import annotations

from webgym.pipeline.runs.config import RunConfig
from webgym.pipeline.runs.ground import RunGround
from webgym.pipeline.runs.rejected_prompts import unless_rejected
from webgym.pipeline.runs.scenes import Roles, WiredScenes
from webgym.records.trajectory import Attempt, Ending
from webgym.rollout.gates import GateLimits, Gates
from webgym.rollout.limits import Limits
from webgym.rollout.play import Tools
from webgym.rollout.pool import Roll
from webgym.rollout.roll import roll
from webgym.sites.weather import Weather
from webgym.stages import Browser, Events, Recorder


def wired(
    config: RunConfig,
    ground: RunGround,
    roles: Roles,
    recorder: Recorder,
    events: Events,
    *,
    browser: Browser | None = None,
) -> Roll:
    """Return a function that makes one attempt with this agent and judge; `browser` replaces that of `ground`."""
    weather = Weather(**config.weather.model_dump())
    scenes = WiredScenes(roles, ground.spec, ground.control, weather, config.tasks.sites_per_family)
    gates = Gates(events, GateLimits(**config.pool.gates.model_dump()))
    tools = Tools(browser or ground.browser, gates, recorder, events, Limits(**config.limits.model_dump()))

    async def one(attempt: Attempt) -> Ending:
        return await roll(attempt, scenes, tools, tries=config.pool.tries)

    return unless_rejected(one, config)
