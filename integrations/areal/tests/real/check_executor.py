"""Our workflow in the real executor: admission, groups, what AReaL does around them, and what it does not."""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import anyio
import pytest
import torch
from areal.api import ModelResponse, RolloutWorkflow
from areal.api.cli_args import InferenceEngineConfig
from areal.experimental.openai.types import InteractionWithTokenLogpReward
from areal.infra import workflow_executor
from areal.infra.remote_inf_engine import GroupedRolloutWorkflow, RemoteInfEngine
from areal.infra.staleness_manager import StalenessManager
from areal.infra.workflow_executor import WorkflowExecutor
from areal.utils.data import concat_padded_tensors
from integrations.areal.tests.real.playing import ScriptedEngine, settings

from webgym.buffer.staleness import Pace
from webgym.testing.rollouts import fake_task
from webgym_areal import stage_thread
from webgym_areal.feeder import Feeder
from webgym_areal.tensors import OLDEST
from webgym_areal.workflow import NAME, GroupWorkflow, items

TASKS = items([fake_task(number) for number in range(6)])


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    stage_thread.close_all()


class Loader:
    """As much of a dataloader as AReaL looks at."""

    def __init__(self, data: list[dict[str, Any]], batch_size: int) -> None:
        self.data, self.batch_size = data, batch_size

    def __iter__(self) -> Iterator[list[dict[str, Any]]]:
        for start in range(0, len(self.data), self.batch_size):
            yield self.data[start : start + self.batch_size]

    def __len__(self) -> int:
        return len(self.data) // self.batch_size


class OneProcess:
    """The engine of one process, as the feeder needs it: a real executor on scripted replies."""

    def __init__(self, executor: WorkflowExecutor, engine: ScriptedEngine) -> None:
        self._executor, self._engine = executor, engine

    def submit(self, data, workflow, workflow_kwargs=None) -> int:
        return self._executor.submit(data, workflow)

    def wait(self, count, timeout=None, raise_timeout=True):
        return self._executor.wait(count, timeout, raise_timeout)

    def get_version(self) -> int:
        return self._engine.version


@contextmanager
def executing(engine: ScriptedEngine, batch: int = 2, lag: int = 1, **changes: Any) -> Iterator[WorkflowExecutor]:
    config = InferenceEngineConfig(
        backend="sglang:d1",
        consumer_batch_size=batch,
        max_concurrent_rollouts=changes.pop("at_once", 8),
        max_head_offpolicyness=lag,
        **changes,
    )
    executor = WorkflowExecutor(config, engine)
    executor.initialize()
    try:
        yield executor
    finally:
        executor.destroy()


def eventually(true, seconds: float = 60.0) -> None:
    until = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < until, "not in time"
        threading.Event().wait(0.02)


def check_groups_come_out_of_the_real_executor_with_our_advantages_and_nothing_of_lost_attempts():
    engine = ScriptedEngine(yes={0}, breaks={2}, version=1)
    flow = GroupWorkflow(settings(source={"members": 4, "aggregation": "token_mean"}).model_dump(mode="json"))
    with executing(engine) as executor:
        made = executor.rollout_batch(TASKS[:3], flow)
        stats = executor.staleness_manager.get_stats()
    assert len(made) == 3
    assert (stats.accepted, stats.rejected, stats.running) == (3, 0, 0)
    for one in made:
        # Members 0, 1 and 3 have 1, 2 and 1 steps; one of three succeeded: +sqrt(2), -1/sqrt(2).
        assert one["rewards"].tolist() == pytest.approx([2**0.5, *[-(2**-0.5)] * 3], rel=1e-4)
        assert one["versions"][one["loss_mask"].bool()].unique().tolist() == [1]
    whole = concat_padded_tensors(made)
    assert len(whole["multi_modal_input"]) == whole["input_ids"].shape[0] == 12


def check_a_group_that_says_nothing_is_a_rejection_and_frees_its_place():
    flow = GroupWorkflow(settings(source={"members": 2}))
    with executing(ScriptedEngine(yes=())) as executor:
        assert executor.rollout_batch(TASKS[:3], flow) == []
        assert executor.staleness_manager.get_stats().rejected == 3
        assert executor.get_capacity() == 4


def check_patches_pass_areals_own_format_check_and_references_do_not_which_the_configuration_is_checked_for():
    engine = ScriptedEngine(yes={0})
    with executing(engine, check_trajectory_format=True) as executor:
        assert len(executor.rollout_batch(TASKS[:1], GroupWorkflow(settings(pictures="tensor")))) == 1
    with executing(engine) as executor:
        [made] = executor.rollout_batch(TASKS[:1], GroupWorkflow(settings()))
    with pytest.raises(ValueError, match="pixel_values"):
        workflow_executor.check_trajectory_format(made)


@pytest.mark.parametrize("seed", range(20))
def check_admission_is_our_pace(seed: int):
    chance = random.Random(seed)
    batch, lag, most = chance.randint(1, 8), chance.randint(0, 4), chance.randint(1, 32)
    engine = ScriptedEngine(version=chance.randint(0, 5))
    manager = StalenessManager(engine, most, batch, lag)
    pace = Pace(batch, lag, most)
    assert manager.get_pending_limit() == pace.most_pending
    for _ in range(200):
        counts = manager.rollout_stat
        ours = pace.capacity(version=engine.version, running=counts.running, accepted=counts.accepted)
        assert ours == max(0, manager.get_capacity())
        moves = [manager.on_rollout_enqueued]
        if ours:
            moves.append(manager.on_rollout_submitted)
        if counts.running:
            moves += [manager.on_rollout_accepted, manager.on_rollout_rejected]
        chance.choice(moves)()
        engine.version += chance.random() < 0.02
    manager.on_version_recovered(9)
    assert manager.rollout_stat.accepted == pace.accepted_after_resume(9)


def check_trap_areal_makes_a_workflow_for_every_group_and_ours_share_one_house(monkeypatch):
    engine = RemoteInfEngine(InferenceEngineConfig(backend="sglang:d1"), backend=None)
    kwargs = {"settings": settings().model_dump(mode="json")}
    first, second = (engine._resolve_workflow(NAME, kwargs, group_size=1) for _ in range(2))
    assert isinstance(first, GroupWorkflow)
    assert first is not second
    opened: list[str] = []
    monkeypatch.setattr(stage_thread, "_opened", _counting(stage_thread._opened, opened))
    with executing(ScriptedEngine(yes={0})) as executor:
        for task in TASKS[:4]:
            executor.submit(task, engine._resolve_workflow(NAME, kwargs, group_size=1))
        assert all(one is not None for one in executor.wait(4, timeout=60))
    assert len(opened) == 1


def _counting(real, told):
    def counted(*arguments):
        told.append("opened")
        return real(*arguments)

    return counted


class Uneven(RolloutWorkflow):
    """Attempts of 1, 2 and 3 steps, and one that was lost."""

    def __init__(self) -> None:
        self._steps = iter((1, 2, 0, 3))

    async def arun_episode(self, engine, data):
        steps = next(self._steps)
        ones = torch.ones(steps, 4, dtype=torch.long)
        return {"input_ids": ones, "attention_mask": ones.bool(), "rewards": torch.ones(steps)} if steps else None


def check_trap_2_areals_own_grouping_gives_any_number_of_rows_where_its_normalisation_counts_on_one_a_member():
    grouped = GroupedRolloutWorkflow(Uneven(), 4, logging.getLogger("check"))
    made = anyio.run(grouped.arun_episode, None, {})
    assert made["rewards"].shape == (6,)
    engine = RemoteInfEngine(InferenceEngineConfig(backend="sglang:d1"), backend=None)
    kwargs = {"settings": settings().model_dump(mode="json")}
    assert isinstance(engine._resolve_workflow(NAME, kwargs, group_size=1), GroupWorkflow)


def check_trap_an_exception_is_a_rejection_and_goes_on_for_ever_unless_somebody_counts():
    broken = settings(stage="integrations.areal.tests.real.playing:nothing")
    engine = ScriptedEngine(yes={0})
    with executing(engine) as executor:
        assert executor.rollout_batch(TASKS[:2], GroupWorkflow(broken)) == []
        feeder = Feeder(OneProcess(executor, engine), executor.staleness_manager, max_lag=1, refill=2.0, patience=60.0)
        with pytest.raises(Exception, match="gave nothing to learn from"):
            feeder.batch(Loader(TASKS, 2), 2, GroupWorkflow(broken))
        feeder.close()


def check_trap_4_areal_runs_nothing_while_it_trains_and_with_a_feeder_it_does():
    engine = ScriptedEngine(yes={0}, seconds=0.05)
    flow = GroupWorkflow(settings(tells_oldest=True, source={"members": 2}))
    with executing(engine, batch=2, lag=2) as executor:
        loader = Loader(TASKS, 2)
        executor.prepare_batch(loader, flow)
        # Training: nobody is inside prepare_batch, and whatever it had queued is soon over.
        eventually(lambda: (s := executor.staleness_manager.get_stats()).running + s.enqueued == 0)
        before = executor.staleness_manager.get_stats().accepted
        threading.Event().wait(1.0)
        assert executor.staleness_manager.get_stats().accepted == before
        assert executor.get_capacity() > 0

    with executing(engine, batch=2, lag=2) as executor:
        manager = executor.staleness_manager
        feeder = Feeder(OneProcess(executor, engine), manager, max_lag=2, patience=60.0)
        assert len(feeder.batch(Loader(TASKS, 2), 2, flow)) == 2
        # Training again: groups go on until as many are over as weights of this version may be used for.
        eventually(lambda: manager.get_stats().accepted >= 6)
        eventually(lambda: manager.get_stats().enqueued > 0)
        feeder.close()


def check_trap_5_a_group_that_grew_too_old_is_handed_out_by_areal_and_dropped_by_the_feeder():
    flow = GroupWorkflow(settings(tells_oldest=True, source={"members": 2}))

    def grown_old(executor: WorkflowExecutor, engine: ScriptedEngine) -> None:
        executor.submit(TASKS[0], flow)
        eventually(lambda: executor.staleness_manager.get_stats().accepted == 1)
        engine.version = 9

    engine = ScriptedEngine(yes={0})
    with executing(engine, batch=1, lag=1) as executor:
        grown_old(executor, engine)
        [handed] = executor.wait(1, timeout=60)
        assert handed is not None
        assert engine.version - handed[OLDEST] == 9

    engine = ScriptedEngine(yes={0})
    with executing(engine, batch=1, lag=1) as executor:
        grown_old(executor, engine)
        feeder = Feeder(OneProcess(executor, engine), executor.staleness_manager, max_lag=1, patience=60.0)
        [taken] = feeder.batch(Loader(TASKS, 1), 1, flow)
        assert feeder.stale == 1
        assert feeder.lags == [0]
        assert taken["versions"].max() == 9
        assert OLDEST not in taken
        assert executor.staleness_manager.get_stats().rejected == 1
        feeder.close()


def check_an_evaluation_is_counted_and_gives_no_rows():
    engine = ScriptedEngine(yes={0, 1, 2, 3})
    with executing(engine) as executor:
        executor.submit(TASKS[0], GroupWorkflow(settings()), is_eval=True)
        assert executor.wait(1, timeout=60) == [None]
    from areal.utils import stats_tracker

    assert stats_tracker.get("eval-rollout").export()["eval-rollout/success"] == 1.0


def check_rows_of_several_groups_are_padded_together_without_mixing_pictures():
    with executing(ScriptedEngine(yes={0})) as executor:
        made = executor.rollout_batch(TASKS[:2], GroupWorkflow(settings()))
    whole = concat_padded_tensors(made)
    pads = whole["mm_token_type_ids"].sum(1)
    for number, entry in enumerate(whole["multi_modal_input"]):
        assert int(pads[number]) == int((torch.prod(entry["image_grid_thw"], dim=1) // 4).sum())
        assert len(entry["references"]) == entry["image_grid_thw"].shape[0]


def check_trap_the_agent_proxy_leaves_pictures_out_and_makes_a_missing_reward_a_zero_so_it_is_not_used():
    said = ModelResponse([1, 2], [3], [-0.5], [0], input_images=["a picture"])
    made = InteractionWithTokenLogpReward(model_response=said, reward=None).to_tensor_dict()
    assert "multi_modal_input" not in made
    assert made["rewards"].tolist() == [0.0]
