"""Check the names in a configuration before a run is created, so that a typo leaves no folder behind."""

from __future__ import annotations

from collections.abc import Iterable

from webgym.agent.dialects.registry import dialect_named
from webgym.agent.prompts.files import words
from webgym.errors import ConfigError
from webgym.judge.cached_client import models_of
from webgym.pipeline.runs.agents import BUILT_IN, ORACLES, SPEAKING
from webgym.pipeline.runs.config import RunConfig
from webgym.pipeline.runs.import_path import named
from webgym.pipeline.runs.judges import ASKING, PLAIN, refuse_policy_servers
from webgym.pipeline.runs.policy import check_policy
from webgym.pipeline.runs.scenes import HERMETIC
from webgym.records.observation import Viewport
from webgym.records.task import Task
from webgym.tasks.address import host_of


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


def check_oracle(config: RunConfig, tasks: Iterable[Task]) -> None:
    """Check that an oracle is used only on hermetic sites.

    Raises:
        ConfigError: The agent is an oracle, and a task is on a site that has none.
    """
    if config.agent.use in ORACLES and (outside := next((one for one in tasks if not _is_hermetic(one)), None)):
        raise ConfigError(
            f"there is no oracle for {outside.website}: only hermetic sites have one; set policy.model "
            "or model.servers to use a model, or set agent.use=random"
        )


def _is_hermetic(task: Task) -> bool:
    return host_of(task.website).endswith(HERMETIC)


def _check_speech(config: RunConfig) -> None:
    """Check dialect and prompt version: each dialect has its own files in a prompt version."""
    dialect, version = dialect_named(config.agent.dialect), config.agent.prompt
    words(version)
    dialect.system(version, Viewport(config.browser.width, config.browser.height))
    dialect.tools(version)
