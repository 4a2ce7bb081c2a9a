"""Check the names in a configuration before a run is created, so that a typo leaves no folder behind."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from webgym.agent.dialects.registry import dialect_named
from webgym.agent.prompts.files import words
from webgym.errors import ConfigError
from webgym.judge.cached_client import models_of
from webgym.records.observation import Viewport
from webgym.records.task import Task
from webgym.run.agents import BUILT_IN, ORACLES, SPEAKING
from webgym.run.attempt_resources import common_spec
from webgym.run.config import RunConfig
from webgym.run.import_path import named
from webgym.run.judges import ASKING, EXACT, PLAIN, refuse_policy_servers
from webgym.run.policy import check_policy
from webgym.run.start_pages import check_start_pages
from webgym.stages import Environment


async def check_conditions(config: RunConfig, environment: Environment, tasks: Sequence[Task]) -> None:
    """Check that files, variables and start pages are there, and oracle and judge if the run needs them.

    Raises:
        ConfigError: Something is missing.
    """
    common_spec(config.browser)
    await check_start_pages(config.browser, environment, tasks)
    check_support(config, environment, tasks)


async def check_names(config: RunConfig) -> None:
    """Check the names of agent, policy, judge, dialect and prompt.

    Raises:
        ConfigError: One of them does not exist, or no model is named.
        ModelError: There is no such model.
    """
    await check_policy(config)
    check_cast(config)


def check_cast(config: RunConfig) -> None:
    """Check all names except the policy's; raises as `check_names` does."""
    if config.agent.use not in BUILT_IN:
        named(config.agent.use, "agent.use")
    if config.judge.use in ASKING:
        models_of(config.judge)
        refuse_policy_servers(config.judge, config)
    elif config.judge.use not in PLAIN:
        named(config.judge.use, "judge.use")
    if config.agent.use in SPEAKING:
        _check_speech(config)


def check_support(config: RunConfig, environment: Environment, tasks: Iterable[Task]) -> None:
    """Check that the environment has an oracle and an exact judge for every task, if the run needs them.

    Raises:
        ConfigError: It has none for some task.
    """
    oracle, exact = config.agent.use in ORACLES, config.judge.use in EXACT
    for task in tasks if oracle or exact else ():
        there = environment.supports(task)
        if oracle and not there.oracle:
            raise ConfigError(
                f"env={environment.name} has no oracle for {task.website}: set policy.model or model.servers to use a "
                "model, or set agent.use=random"
            )
        if exact and not there.exact:
            raise ConfigError(
                f"env={environment.name} has no exact judge for task {task.task_id} on {task.website}: let a model "
                "judge (judge.use=rubric), use your own (judge.use=module:function), or none (judge.use=none)"
            )


def _check_speech(config: RunConfig) -> None:
    """Check dialect and prompt version: each dialect has its own files in a prompt version."""
    dialect, version = dialect_named(config.agent.dialect), config.agent.prompt
    words(version)
    dialect.system(version, Viewport(config.browser.width, config.browser.height))
    dialect.tools(version)
