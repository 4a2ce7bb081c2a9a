"""Training takes place in any environment, in both modes."""

from __future__ import annotations

from pathlib import Path

import pytest

from webgym.environments.template.shopping_list import GOODS
from webgym.run.train_commands import run_train_async
from webgym.store.read import open_run

pytestmark = [pytest.mark.anyio, pytest.mark.chromium, pytest.mark.timeout(600)]
SHOPPING = "webgym.environments.template.shopping_list:ShoppingListEnvironment"


@pytest.mark.parametrize("mode", ["sync", "async"])
async def test_nano_trains_on_a_world_of_ones_own(mode: str, tmp_path: Path):
    settings = {
        "env": SHOPPING,
        "policy": {"model": "nano"},
        "iterations": 1,
        "tasks": {"count": 2},
        "evaluate": {"every": 0, "tasks": {"count": 1}},
        "train": {"mode": mode, "source": {"groups": 2, "members": 2}},
        "limits": {"easy": 3},
        "browser": {"sessions": 4},
        "monitor": {"serve": False},
        "curves": {"serve": False, "tensorboard": False},
        "store": {"root": str(tmp_path)},
        "name": "run",
    }
    result = await run_train_async(**settings)
    assert [one.iteration for one in result.iterations] == [0, 1]
    with open_run(tmp_path / "run") as run:
        rows = run.rows()
    assert {row.site for row in rows} == {"shopping-list"}
    assert {row.task_id for row in rows} <= {f"add-{thing}" for thing in GOODS["train"]}
    assert all(row.reward is not None for row in rows)
