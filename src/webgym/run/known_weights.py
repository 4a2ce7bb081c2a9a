"""Weights without `webgym.json` whose files nevertheless show what they were trained to see and say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from webgym.run.shipped_policies import shipped_policies

_LONGEST = 64 << 20
"""Bytes of the largest file that is read."""


@dataclass(frozen=True, slots=True)
class Sign:
    """What a folder shows by itself."""

    what: str
    """What is recognised, for people."""
    settings: Mapping[str, Any]


def sign_of(folder: Path) -> Sign | None:
    """Return what the files of a model show beyond doubt; None if that is nothing."""
    for policy in shipped_policies():
        if what := policy.recognise(folder):
            return Sign(what, policy.settings)
    match json_of(folder / "config.json").get("model_type"):
        case "qwen2_5_vl":
            return Sign("it is a Qwen2.5-VL", {"agent": {"dialect": "qwen2.5-vl"}})
        case "qwen3_vl" if _thinks(folder):
            return Sign(
                "its chat template begins every reply with a thought", {"agent": {"dialect": "qwen3-vl-thinking"}}
            )
        case _:
            return None


def _thinks(folder: Path) -> bool:
    told = json_of(folder / "tokenizer_config.json").get("chat_template")
    try:
        template = (folder / "chat_template.jinja").read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        template = told if isinstance(told, str) else ""
    return r"assistant\n<think>" in template


def json_of(path: Path) -> dict[str, Any]:
    """Return the object in a file of a model; nothing if there is none."""
    try:
        found: Any = json.loads(path.read_bytes()) if path.stat().st_size <= _LONGEST else None
    except (OSError, ValueError):
        return {}
    return cast("dict[str, Any]", found) if isinstance(found, dict) else {}
