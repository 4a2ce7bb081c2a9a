"""Settings that go with weights of a training run, so that naming their folder is all there is to type."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

from webgym.errors import StoreError
from webgym.store.meta import load_meta

_WEIGHTS = "policies"
_TAKEN: Mapping[str, tuple[str, ...]] = {
    "policy": ("max_tokens", "length"),
    "browser": ("width", "height"),
}
"""Besides all of `agent` and the limits. How to sample, and on what machine, is another matter."""


def manner_of(settings: Mapping[str, Any], *, trains: bool) -> dict[str, Any]:
    """How the weights that are named here were shown the web, and spoke; empty if they are of no training run.

    What learns on has limits for attempts and for evaluations as they were; all else is as evaluations were.
    """
    policy: Any = settings.get("policy")
    model: Any = cast("dict[str, Any]", policy).get("model") if isinstance(policy, dict) else None
    folder = Path(model).expanduser() if isinstance(model, str) and model else None
    if folder is None or folder.parent.name != _WEIGHTS:
        return {}
    try:
        meta = load_meta(folder.parent.parent)
    except StoreError:
        return {}
    return _manner(tomllib.loads(meta.config), trains=trains) if meta.kind == "train" else {}


def _manner(trained: Mapping[str, Any], *, trains: bool) -> dict[str, Any]:
    manner: dict[str, Any] = {
        section: {name: trained[section][name] for name in names if name in trained.get(section, {})}
        for section, names in _TAKEN.items()
    }
    evaluated = trained.get("evaluate", {}).get("limits", {})
    limits = (
        {"limits": trained.get("limits", {}), "evaluate": {"limits": evaluated}} if trains else {"limits": evaluated}
    )
    return manner | limits | {"agent": trained.get("agent", {})}
