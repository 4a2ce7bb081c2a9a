"""Options shared by `webgym judge` commands."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from webgym.run.config import JudgeConfig

_PANEL = "Judge model"
Settings = Annotated[
    list[str] | None,
    typer.Argument(help="Judge settings, such as judge.top=5 judge.model.max_tokens=4000.", show_default=False),
]
ConfigFile = Annotated[Path | None, typer.Option("--config", "-c", help="TOML file with settings.")]
Servers = Annotated[
    list[str] | None,
    typer.Option(
        "--server",
        help="Base URL of an OpenAI-compatible server, such as http://127.0.0.1:8000/v1; repeatable.",
        rich_help_panel=_PANEL,
    ),
]
Model = Annotated[str, typer.Option(help="Model name on the server.", rich_help_panel=_PANEL)]
KeyEnv = Annotated[str, typer.Option(help="Environment variable that holds the API key.", rich_help_panel=_PANEL)]
PriceIn = Annotated[float, typer.Option(min=0, help="Dollars per million prompt tokens.", rich_help_panel=_PANEL)]
PriceOut = Annotated[float, typer.Option(min=0, help="Dollars per million reply tokens.", rich_help_panel=_PANEL)]
Budget = Annotated[
    float | None,
    typer.Option(
        min=0, help="Maximum dollars to spend, over all invocations with the same --out.", rich_help_panel=_PANEL
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one line of JSON to standard output.")]


def judge_config(
    config: Path | None,
    settings: list[str] | None,
    *,
    servers: list[str] | None = None,
    model: str = "",
    key_env: str = "",
    prices: tuple[float, float] = (0.0, 0.0),
    budget: float | None = None,
) -> JudgeConfig:
    """Build the judge's configuration; options override the file, and settings override both.

    Raises:
        ConfigError: A setting is invalid, or does not concern the judge.
    """
    import json

    from webgym.errors import ConfigError
    from webgym.run.load import load_config

    for one in settings or []:
        if not one.startswith("judge."):
            raise ConfigError(f"only judge settings are accepted here, such as judge.top=5, not {one!r}")
    given: list[str] = []
    if servers:
        given.append(f"judge.model.servers={json.dumps(servers)}")
    if model:
        given.append(f"judge.model.model={json.dumps(model)}")
    if key_env:
        given.append(f"judge.model.api_key_env={json.dumps(key_env)}")
    if any(prices):
        given.append(f"judge.model.prices={{prompt={prices[0]}, sampled={prices[1]}}}")
    if budget is not None:
        given.append(f"judge.budget={budget}")
    return load_config(config, [*given, *(settings or [])], {"judge": {"use": "rubric"}}).judge
