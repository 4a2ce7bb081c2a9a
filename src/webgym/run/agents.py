"""Build agents and judges from the names in a configuration."""

from __future__ import annotations

import msgspec

from webgym.agent.baselines import DoNothing, RandomClicker
from webgym.agent.vlm import look_for, vlm_agent
from webgym.errors import ConfigError
from webgym.records.session import Look
from webgym.rng import Rng
from webgym.run.config import RunConfig
from webgym.run.episodes import MakeAgent, MakeJudge, Players, oracle_of
from webgym.run.import_path import made
from webgym.run.judges import plain_judge
from webgym.run.prompt_room import prompt_room
from webgym.run.spoken_oracle import SpokenAgent
from webgym.stages import Agent, AttemptSetup, Policy

SPEAKING = ("vlm", "spoken-oracle")
"""Agents whose decisions are text in a dialect."""
ORACLES = ("oracle", "spoken-oracle")
BUILT_IN = ("oracle", "random", "noop", *SPEAKING)


def players_for(config: RunConfig, policy: Policy | None, judge: MakeJudge | None = None) -> Players:
    """Return agent and judge of a run; `policy` is for a `vlm`. Judges that query models come from `open_judges`."""
    judge = judge or plain_judge(config.judge.use)
    agent = config.agent
    look = Look(screenshot=agent.screenshot, quality=agent.quality, settle_seconds=agent.settle_seconds)
    match agent.use:
        case "oracle":
            return Players(oracle_of, _with_elements(look), judge)
        case "spoken-oracle":
            return Players(_spoken(config), _with_elements(look_for(config.agent)), judge)
        case "random":
            return Players(_random(config), _with_elements(look), judge)
        case "noop":
            return Players(lambda _setup: DoNothing(), look, judge)
        case "vlm":
            return _vlm(config, policy, judge)
        case path:
            return Players(_own(path), look, judge)


def _vlm(config: RunConfig, policy: Policy | None, judge: MakeJudge) -> Players:
    if policy is None:
        raise ConfigError("agent.use = 'vlm' needs a model: set policy.model or model.servers")

    room = prompt_room(config)

    def make(setup: AttemptSetup) -> Agent:
        return vlm_agent(setup.attempt.task, policy, config.agent, affinity=setup.attempt.attempt_id, room=room)

    return Players(make, look_for(config.agent), judge)


def _with_elements(look: Look) -> Look:
    return msgspec.structs.replace(look, elements=True)


def _spoken(config: RunConfig) -> MakeAgent:
    def make(setup: AttemptSetup) -> Agent:
        return SpokenAgent(oracle_of(setup), setup.attempt.task, config.agent)

    return make


def _random(config: RunConfig) -> MakeAgent:
    def make(setup: AttemptSetup) -> Agent:
        level = setup.attempt.task.level
        return RandomClicker(Rng("random", setup.attempt.seed), getattr(config.limits, level))

    return make


def _own(path: str) -> MakeAgent:
    def make(setup: AttemptSetup) -> Agent:
        return made(path, "agent.use", Agent, setup)

    return make
