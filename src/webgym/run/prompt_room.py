"""How much of the context a prompt may use, for policies with local weights."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import msgspec

from webgym.agent.dialects.registry import dialect_named
from webgym.errors import ConfigError, PolicyRejected
from webgym.records.observation import Viewport
from webgym.records.prompt import Message, Picture, Prompt, Text
from webgym.run.config import RunConfig
from webgym.run.servers import read_words


def policy_kind(config: RunConfig) -> str:
    """Return what a `vlm` queries: `engine` (local weights, also on servers), `served`, or an import path."""
    if config.agent.policy != "auto":
        return config.agent.policy
    return "engine" if config.policy.model else "served"


def prompt_room(config: RunConfig) -> int | None:
    """Return the maximum prompt tokens; None if the limit is up to a foreign server."""
    return config.policy.length - config.policy.max_tokens if policy_kind(config) == "engine" else None


def check_room(config: RunConfig, folder: Path) -> None:
    """Check that a minimal prompt with one page fits, by the tokenizer of the model in this folder. Blocks.

    Raises:
        ConfigError: It does not fit, so every attempt would end before its first step.
    """
    if config.agent.use != "vlm":
        return
    try:
        found = _smallest(config, folder)
    except (ConfigError, PolicyRejected):
        return  # the folder is broken; loading it gives a better error
    policy = config.policy
    if found + policy.max_tokens > policy.length:
        raise ConfigError(
            f"a prompt with one page takes at least {found:,} tokens and a reply up to policy.max_tokens = "
            f"{policy.max_tokens:,}, which does not fit into policy.length = {policy.length:,}. Raise policy.length "
            "or shorten the prompt: another agent.prompt, or a smaller browser.width and browser.height"
        )


def _smallest(config: RunConfig, folder: Path) -> int:
    """Return the number of tokens of the smallest possible prompt."""
    words, _ = read_words(folder)
    view, version = Viewport(config.browser.width, config.browser.height), config.agent.prompt
    dialect = dialect_named(config.agent.dialect)
    system = dialect.system(version, view)
    messages = [Message("system", (Text(system),))] if system else []
    messages.append(Message("user", (Picture("", view.width, view.height), Text(""))))
    return len(words.ids(Prompt(tuple(messages), dialect.tools(version)), [_picture(folder, view)]))


def _picture(folder: Path, view: Viewport) -> int:
    """Return the tokens of a screenshot, or slightly fewer: the exact rounding is up to the image processor."""
    try:
        told: Any = msgspec.json.decode((folder / "preprocessor_config.json").read_bytes())
        cell = told["patch_size"] * told["merge_size"]
        most = told.get("max_pixels") or told["size"]["longest_edge"]
    except (OSError, msgspec.DecodeError, KeyError, TypeError) as error:
        raise ConfigError(f"{folder}/preprocessor_config.json is missing or incomplete: {error!r}") from error
    shrink = max(1.0, math.sqrt(view.width * view.height / most))
    return math.floor(view.width / shrink / cell) * math.floor(view.height / shrink / cell)
