"""What can be asked of an environment."""

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
    """Options of an environment. Frozen; unknown ones are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    families: tuple[str, ...] = FAMILIES
    """Of websites."""
    split: Split = "train"
    level: Level | None = None
    """Only tasks of this difficulty."""
    templates: tuple[str, ...] = ()
    """Only tasks of these kinds."""
    task_ids: tuple[str, ...] = ()
    """Only these tasks, whatever else is asked for."""
    viewport: tuple[Pixels, Pixels] = (1280, 768)
    """Width and height."""
    max_steps: Annotated[int, Field(ge=1)] | None = None
    """None: by the task's level, as in training (10, 20, 30) or, of other splits, as in tests (30, 50, 70)."""
    seed: Annotated[int, Field(ge=0)] | None = None
    """Of the first reset, if that names none."""
    fleet: str = ""
    """Gateway of a fleet that reaches the sites; empty: a fleet of this process, started when it is first needed."""
    sites: str = ""
    """Control plane of the sites that go with it."""
    token: str = ""
    """Of both; `WEBGYM_TOKEN` or this user's own by default."""
    sessions: Annotated[int, Field(ge=1)] | None = None
    """Room in the fleet of this process, if this environment starts it. None: 16, or as many as it needs itself."""

    @field_validator("families")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        unknown = [name for name in names if name not in FAMILIES]
        if unknown or not names:
            raise ValueError(f"families are some of {', '.join(FAMILIES)}")
        return names

    @model_validator(mode="after")
    def _both_or_none(self) -> EnvConfig:
        if bool(self.fleet) != bool(self.sites):
            raise ValueError("a fleet of one's own needs both `fleet` and `sites`")
        return self

    @property
    def size(self) -> Viewport:
        """The viewport as sessions take it."""
        return Viewport(*self.viewport)

    def steps(self, level: Level) -> int:
        """How many steps a task of this level may take."""
        return self.max_steps or (TRAIN if self.split == "train" else TEST).steps(level)


def read_config(options: Mapping[str, Any]) -> EnvConfig:
    """The options as given to `gymnasium.make`.

    Raises:
        ConfigError: One of them is unknown or makes no sense.
    """
    try:
        return EnvConfig.model_validate(dict(options))
    except ValidationError as error:
        raise ConfigError(problems_of(error, EnvConfig, whole="options")[0]) from error
