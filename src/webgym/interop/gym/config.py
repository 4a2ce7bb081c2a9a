"""The options of an environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from webgym.errors import ConfigError
from webgym.pipeline.runs.problems import problems_of
from webgym.records.observation import Viewport
from webgym.records.task import Level
from webgym.rollout.limits import TEST, TRAIN
from webgym.sites.registry import FAMILIES
from webgym.sites.site import Split

Pixels = Annotated[int, Field(ge=64, le=4096)]


class EnvConfig(BaseModel):
    """Options of an environment. Frozen; unknown options are rejected."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    families: tuple[str, ...] = FAMILIES
    """Families of websites."""
    split: Split = "train"
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
    """URL of the control plane of the sites; set together with `fleet`."""
    token: str = ""
    """Token of both; by default `WEBGYM_TOKEN` or the token of this user."""
    sessions: Annotated[int, Field(ge=1)] | None = None
    """Capacity of the fleet if this environment starts it. None: 16, or more if this environment needs more."""

    @field_validator("families")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [name for name in names if name not in FAMILIES]
        if unknown or not names:
            raise ValueError(f"families must be chosen from {', '.join(FAMILIES)}")
        return names

    @model_validator(mode="after")
    def _both_or_none(self) -> EnvConfig:
        if bool(self.fleet) != bool(self.sites):
            raise ValueError("to use your own fleet, set both `fleet` and `sites`")
        return self

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
