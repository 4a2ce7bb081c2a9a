"""Run the conformance checks of environments on one of them."""

from __future__ import annotations

import inspect
import itertools
import time
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from statistics import median
from typing import Literal

from webgym.environments.conformance import ENVIRONMENT_CHECKS, EnvironmentCheck, EnvironmentTrial, NotOfferedError
from webgym.errors import WebGymError
from webgym.run.attempt_resources import attempt_resources, environment_of
from webgym.run.config import RunConfig
from webgym.run.start_pages import check_start_pages
from webgym.run.tasks import selection_of, tasks_for

CheckOutcome = Literal["passed", "failed", "not offered"]


@dataclass(frozen=True, slots=True)
class CheckedRule:
    """What came of one check."""

    name: str
    about: str
    outcome: CheckOutcome
    detail: str
    seconds: float


@dataclass(frozen=True, slots=True)
class CheckedEnvironment:
    """What came of all checks, and how long the environment takes, in seconds."""

    name: str
    tasks: int
    rules: tuple[CheckedRule, ...]
    open_seconds: float
    prepare_seconds: float
    reset_seconds: float | None

    @property
    def passed(self) -> bool:
        return all(rule.outcome != "failed" for rule in self.rules)


async def check_environment(
    config: RunConfig, told: Callable[[CheckedRule], None], checks: Sequence[EnvironmentCheck] = ENVIRONMENT_CHECKS
) -> CheckedEnvironment:
    """Run every check on the tasks of this configuration; `told` is called with each result.

    Raises:
        ConfigError: The environment does not exist, has no such task, or cannot be opened.
    """
    began = time.perf_counter()
    async with _trial(config) as trial:
        opened = time.perf_counter() - began
        rules: list[CheckedRule] = []
        for check in checks:
            rules.append(await _checked(check, trial))
            told(rules[-1])
        times = trial.times
        return CheckedEnvironment(
            trial.environment.name,
            len(trial.tasks),
            tuple(rules),
            opened,
            median(times.prepare) if times.prepare else 0.0,
            median(times.reset) if times.reset else None,
        )


@asynccontextmanager
async def _trial(config: RunConfig) -> AsyncGenerator[EnvironmentTrial]:
    environment = environment_of(config)
    tasks = tasks_for(config.tasks, config.seed, environment=environment)
    await check_start_pages(config.browser, environment, tasks)
    async with attempt_resources(config, tasks, environment) as resources:
        yield EnvironmentTrial(
            environment,
            resources.environment,
            resources.browser,
            selection_of(config.tasks, config.seed),
            tasks,
            resources.terms(config),
            steps=config.limits.hard,
        )


async def _checked(check: EnvironmentCheck, trial: EnvironmentTrial) -> CheckedRule:
    name, about = check.__name__.replace("_", " "), (inspect.getdoc(check) or "").partition("\n")[0]
    began = time.perf_counter()
    outcome: CheckOutcome = "passed"
    detail = ""
    try:
        await check(trial)
    except NotOfferedError as error:
        outcome, detail = "not offered", str(error)
    except (AssertionError, WebGymError) as error:
        outcome, detail = "failed", str(error)
    except Exception as error:  # noqa: BLE001 (somebody else's code may raise anything)
        outcome, detail = "failed", f"{type(error).__name__}: {error}"
    return CheckedRule(name, about, outcome, detail, time.perf_counter() - began)


def first_tasks(config: RunConfig, count: int) -> list[str]:
    """Return one line for each of the first tasks of a configuration's environment."""
    environment = environment_of(config)
    found = itertools.islice(environment.tasks(selection_of(config.tasks, config.seed)), count)
    return [f"{task.task_id}  {task.instruction}" for task in found]
