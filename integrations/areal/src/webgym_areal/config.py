"""AReaL's training configuration with a `webgym:` section. Needs AReaL."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from webgym.errors import ConfigError
from webgym.run.problems import problems_of
from webgym_areal.package import areal
from webgym_areal.settings import ArealSettings

_OF_THE_SOURCE = ("members", "estimator", "estimator_options", "aggregation", "k", "skip_unchanged", "refill")
_PPOConfig: Any = areal("api.cli_args").PPOConfig


@dataclass
class WebgymSection:
    """The `webgym:` section. AReaL's configuration loader supports plain dataclasses only."""

    run: str = ""
    """File with the run's configuration: browsers, agent, judge, limits, tasks."""
    overrides: list[str] = field(default_factory=list[str])
    members: int = 8
    estimator: str = "grpo"
    estimator_options: dict[str, Any] = field(default_factory=dict[str, Any])
    aggregation: str = "constant"
    k: float = 10.0
    skip_unchanged: bool = False
    refill: float = 3.0
    reply_seconds: float = 900.0
    patience_seconds: float = 7200.0
    """Training fails if no group finishes for this long."""
    store: str = "runs/areal"
    host: str = ""
    pictures: str = "reference"
    stage: str = ""


@dataclass
class WebgymConfig(_PPOConfig):
    """A `PPOConfig` with our section."""

    webgym: WebgymSection = field(default_factory=WebgymSection)


def load_areal(arguments: list[str]) -> Any:
    """Parse `--config file.yaml` and overrides such as `actor.optimizer.lr=1e-6`, validated by AReaL's own classes.

    Raises:
        ConfigError: AReaL rejects it, or a file does not exist.
    """
    package = areal("api.cli_args")
    try:
        made, _ = package.parse_cli_args(arguments)
        plain = package.to_structured_cfg(made, config_cls=WebgymConfig)
        return package.OmegaConf.to_object(plain)
    except Exception as error:  # AReaL's libraries raise arbitrary exceptions
        raise ConfigError(f"AReaL rejected this configuration: {error}") from error


def settings_of(config: Any) -> ArealSettings:
    """Return the settings for the rollout workers.

    Raises:
        ConfigError: A value of the `webgym:` section is invalid.
    """
    section: WebgymSection = config.webgym
    ours = asdict(section)
    ours.pop("patience_seconds")
    shared = {name: ours.pop(name) for name in _OF_THE_SOURCE}
    lag, groups = config.rollout.max_head_offpolicyness, config.train_dataset.batch_size
    backend = str(config.rollout.backend).partition(":")[0]
    try:
        return ArealSettings.model_validate(
            {
                **ours,
                "run": str(Path(section.run).absolute()) if section.run else "",
                "store": str(Path(section.store).absolute()),
                "source": {**shared, "groups": groups, "max_lag": lag},
                "model": config.actor.path,
                "server": backend,
                "temperature": config.gconfig.temperature,
                "max_new_tokens": config.gconfig.max_new_tokens,
                "max_tokens": config.gconfig.max_tokens,
                "tells_oldest": True,
            }
        )
    except ValidationError as error:
        problems = problems_of(error, ArealSettings)
        raise ConfigError(
            "the `webgym:` section of the configuration is invalid:\n  " + "\n  ".join(problems)
        ) from None
