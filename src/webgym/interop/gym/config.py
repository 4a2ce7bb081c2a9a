"""The options of an environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from webgym.environments.optional import TaskFinder
from webgym.environments.registry import environment_named
from webgym.errors import ConfigError
from webgym.records.environment import TaskSelection
from webgym.records.observation import Viewport
from webgym.records.task import Level
from webgym.rollout.limits import TEST, TRAIN
from webgym.run.problems import problems_of
from webgym.stages import Environment

Pixels = Annotated[int, Field(ge=64, le=4096)]


class EnvConfig(BaseModel):
    """Options of an environment. Frozen; unknown options are rejected."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    env: str = "hermetic"
    """Name or import path of the environment where episodes take place."""
    env_options: dict[str, Any] = {}
    """Options of that environment."""
    families: tuple[str, ...] = ()
    """Families of websites, or what the environment calls so; empty: all."""
    split: str = "train"
    level: Level | None = None
    """Only tasks of this difficulty."""
    templates: tuple[str, ...] = ()
    """Only tasks of these templates."""
    task_ids: tuple[str, ...] = ()
    """Only these tasks; overrides all other filters."""
    viewport: tuple[Pixels, Pixels] = (1280, 768)
    """Width and height in pixels."""
    max_steps: Annotated[int, Field(ge=1)] | None = None
    """None: by level, 10, 20 or 30 steps on the train split and 30, 50 or 70 on the others."""
    seed: Annotated[int, Field(ge=0)] | None = None
    """Seed of the first reset, if that is given none."""
    fleet: str = ""
    """URL of the gateway of a fleet that reaches the sites. Empty: a fleet in this process, started on first use."""
    sites: str = ""
    """URL of the control plane of the sites; set together with `fleet`, if the environment needs one."""
    token: str = ""
    """Token of both; by default `WEBGYM_TOKEN` or the token of this user."""
    sessions: Annotated[int, Field(ge=1)] | None = None
    """Capacity of the fleet if this environment starts it. None: 16, or more if this environment needs more."""

    @model_validator(mode="after")
    def _known(self) -> EnvConfig:
        if self.sites and not self.fleet:
            raise ValueError("sites: only with a fleet of your own, so set fleet too")
        environment = self.environment()
        if isinstance(environment, TaskFinder):  # others may go through all their tasks to tell
            environment.tasks(self.selection(()))
        return self

    def environment(self) -> Environment:
        """Return the environment, not yet opened.

        Raises:
            ConfigError: There is none of this name, or it does not take these options.
        """
        return environment_named(self.env, self.env_options)

    def selection(self, task_ids: tuple[str, ...]) -> TaskSelection:
        """Return what these options ask of an environment."""
        return TaskSelection(
            split=self.split,
            families=self.families,
            levels=(self.level,) if self.level else (),
            templates=self.templates,
            task_ids=task_ids,
        )

    @property
    def size(self) -> Viewport:
        """The viewport as a record."""
        return Viewport(*self.viewport)

    def steps(self, level: Level) -> int:
        """Return the step limit for tasks of this level."""
        return self.max_steps or (TRAIN if self.split == "train" else TEST).steps(level)


def read_config(options: Mapping[str, Any]) -> EnvConfig:
    """Validate the options given to `gymnasium.make`.

    Raises:
        ConfigError: An option is unknown or invalid.
    """
    try:
        return EnvConfig.model_validate(dict(options))
    except ValidationError as error:
        raise ConfigError(problems_of(error, EnvConfig, whole="options")[0]) from error
