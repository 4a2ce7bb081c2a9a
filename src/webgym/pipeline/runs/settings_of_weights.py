"""Settings that go with the weights of a training run, applied when `policy.model` names their folder."""

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
"""Settings taken over, besides all of `agent` and the limits; not those of sampling and hardware."""


def manner_of(settings: Mapping[str, Any], *, trains: bool) -> dict[str, Any]:
    """Return the agent, viewport and limit settings of the training run of these weights; empty if there is none.

    Training runs take over both the training and the evaluation limits; other runs get the evaluation limits.
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
