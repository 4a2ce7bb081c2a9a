"""Which pictures of an asynchronous run may be dropped for the budget, as it is wired."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import anyio
import msgspec
import pytest
from tests.unit.curves.made import iteration
from tests.unit.training_async.test_feeder import tasks

from webgym.pipeline.train.config import TrainConfig
from webgym.pipeline.train.flow.run import flow, watch_for
from webgym.pipeline.train.flow.settled_groups import Settled, SettledGroups
from webgym.pipeline.train.folders import Folders
from webgym.pipeline.train.pool_filter import everything
from webgym.pipeline.train.run_length import Planned
from webgym.records.sample import PolicyVersion
from webgym.store.trim import Needed
from webgym.testing.rollouts import EventList

pytestmark = pytest.mark.anyio
CONFIG = TrainConfig.model_validate(
    {"iterations": 9, "policy": {"model": "nano"}, "train": {"mode": "async"}, "evaluate": {"later": True}}
)


async def test_pictures_are_needed_until_the_iteration_that_settled_their_group_is_over(tmp_path: Path):
    (tmp_path / "config.json").write_bytes(msgspec.json.encode({"image_token_id": 1}))
    settled = SettledGroups(Folders(tmp_path))
    for number in (1, 2):
        name = f"settled-{number}"
        settled.write(Settled(number, number - 1, (name,), {name: "kept", f"dropped-{number}": "all_fail"}))
    kept: list[Needed] = []
    audience = SimpleNamespace(say=lambda _line: None)
    run = SimpleNamespace(
        config=CONFIG,
        folders=Folders(tmp_path),
        model=tmp_path,
        writer=SimpleNamespace(keep=kept.append, finished=frozenset[str]),
        store=SimpleNamespace(rows=list, lacking=frozenset),
        tasks=tasks(6),
        tests=tasks(3),
        iterations=[iteration(1)],
        policy=PolicyVersion(1, str(tmp_path)),
        sampler=SimpleNamespace(at=lambda _temperature, _seed: None, weights=None, restarts=int),
        trainer=None,
        prepare=anyio.sleep_forever,
        wiring=SimpleNamespace(training=lambda _policy, _writer, _tasks: None),
        events=EventList(),
        audience=audience,
        sift=lambda: everything,
        tell=lambda _iteration: None,
    )
    with anyio.fail_after(20):
        await flow(
            run, watch_for(CONFIG, audience), 1, Planned(9)
        )  # the first iteration is over: nothing is to be done
    [needed] = kept
    names = ("settled-1", "dropped-1", "settled-2", "dropped-2", "running")
    assert [needed(name) for name in names] == [False, False, True, True, True]
