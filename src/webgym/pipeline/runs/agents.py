"""Build agents and judges from the names in a configuration."""

from __future__ import annotations

import msgspec

from webgym.agent.vlm import look_for, vlm_agent
from webgym.errors import ConfigError
from webgym.pipeline.hermetic.agents import DoNothing, RandomClicker
from webgym.pipeline.runs.config import RunConfig
from webgym.pipeline.runs.import_path import made
from webgym.pipeline.runs.judges import plain_judge
from webgym.pipeline.runs.prompt_room import prompt_room
from webgym.pipeline.runs.scenes import MakeAgent, MakeJudge, Place, Roles
from webgym.pipeline.runs.spoken_oracle import SpokenAgent
from webgym.records.session import Look
from webgym.sites.oracle.oracle import Oracle
from webgym.sites.rng import Rng
from webgym.sites.tasks.errands import errands_of
from webgym.stages import Agent, Policy

SPEAKING = ("vlm", "spoken-oracle")
"""Agents whose decisions are text in a dialect."""
ORACLES = ("oracle", "spoken-oracle")
BUILT_IN = ("oracle", "random", "noop", *SPEAKING)


def roles_for(config: RunConfig, policy: Policy | None, judge: MakeJudge | None = None) -> Roles:
    """Return agent and judge of a run; `policy` is for a `vlm`. Judges that query models come from `open_judges`."""
    judge = judge or plain_judge(config.judge.use)
    agent = config.agent
    look = Look(screenshot=agent.screenshot, quality=agent.quality, settle_seconds=agent.settle_seconds)
    match agent.use:
        case "oracle":
            return Roles(_oracle, _with_elements(look), judge)
        case "spoken-oracle":
            return Roles(_spoken(config), _with_elements(look_for(config.agent)), judge)
        case "random":
            return Roles(_random(config), _with_elements(look), judge)
        case "noop":
            return Roles(lambda _place: DoNothing(), look, judge)
        case "vlm":
            return _vlm(config, policy, judge)
        case path:
            return Roles(_own(path), look, judge)


def _vlm(config: RunConfig, policy: Policy | None, judge: MakeJudge) -> Roles:
    if policy is None:
        raise ConfigError("agent.use = 'vlm' needs a model: set policy.model or model.servers")

    room = prompt_room(config)

    def make(place: Place) -> Agent:
        return vlm_agent(place.attempt.task, policy, config.agent, affinity=place.attempt.attempt_id, room=room)

    return Roles(make, look_for(config.agent), judge)


def _with_elements(look: Look) -> Look:
    return msgspec.structs.replace(look, elements=True)


def _oracle(place: Place) -> Agent:
    if place.site is None or place.snapshot is None:
        raise ConfigError(f"there is no oracle for {place.attempt.task.website}: only hermetic sites have one")
    return Oracle(place.site, errands_of(place.attempt.task, place.site.family), place.snapshot)


def _spoken(config: RunConfig) -> MakeAgent:
    def make(place: Place) -> Agent:
        return SpokenAgent(_oracle(place), place.attempt.task, config.agent)

    return make


def _random(config: RunConfig) -> MakeAgent:
    def make(place: Place) -> Agent:
        level = place.attempt.task.level
        return RandomClicker(Rng("random", place.attempt.seed), getattr(config.limits, level))

    return make


def _own(path: str) -> MakeAgent:
    def make(place: Place) -> Agent:
        return made(path, "agent.use", Agent, place)

    return make
