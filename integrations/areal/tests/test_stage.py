"""The stage of a rollout worker as configured: real browsers, sites and store; only the model is scripted."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import anyio
import pytest
from integrations.areal.tests.real.playing import MODEL, Asked, Reply, ScriptedEngine, addresses

from webgym.run.load import load_config
from webgym.run.tasks import tasks_for
from webgym.store.read import find_runs, open_run
from webgym_areal import stage_thread
from webgym_areal.episode import Played
from webgym_areal.materialise import Gallery, materialised
from webgym_areal.pictures import read_cutter
from webgym_areal.settings import ArealSettings

OVERRIDES = (
    "policy.model=nano",
    "tasks.use=nano",
    "tasks.count=1",
    "browser.sessions=2",
    "judge.use=integrations.areal.tests.real.playing:FirstJudge",
    "limits.wall_seconds=90.0",
)


class Speaking(ScriptedEngine):
    """Clicks once, then answers, in nano's own words."""

    def __init__(self) -> None:
        super().__init__()
        self.said: Counter[str] = Counter()

    async def agenerate(self, req) -> Reply:
        self.said[req.rid] += 1
        text = "anything>c<050><030>" if self.said[req.rid] == 1 else ">ayes"
        ids = self.words.encode(text, add_special_tokens=False).ids
        return Reply(list(req.input_ids), ids, [-0.5] * len(ids), [4] * len(ids))


@pytest.mark.chromium
def test_a_group_on_real_pages_becomes_rows_whose_pictures_a_trainer_can_fetch(tmp_path: Path):
    settings = ArealSettings.model_validate(
        {
            "model": MODEL,
            "overrides": OVERRIDES,
            "store": str(tmp_path / "rollouts"),
            "host": "127.0.0.1",
            "max_tokens": 1024,
            "max_new_tokens": 96,
            "source": {"members": 2, "aggregation": "token_mean"},
        }
    )
    config = load_config(None, OVERRIDES)
    [task] = tasks_for(config.tasks, config.seed)
    try:
        home = stage_thread.stage_thread_for(settings, task, lambda: "127.0.0.1")

        async def episode() -> Played:
            with anyio.fail_after(100):
                return await home.play(Speaking(), Asked, task, learn=True)

        played = anyio.run(episode)
        made = played.trajectory
        assert made is not None, played.figures
        assert made["rewards"].tolist() == pytest.approx([1, 1, -1, -1], rel=1e-4)
        assert [len(one) for one in addresses(made["multi_modal_input"])] == [1, 1, 1, 1]
        gallery = Gallery(read_cutter(Path(MODEL)))
        ready = materialised(made, gallery)
        assert gallery.missing == 0
        assert all(one["pixel_values"].std() > 0 for one in ready["multi_modal_input"])
        # Both members began on the same page: its picture is stored, sent and cut once.
        assert len({one for row in addresses(made["multi_modal_input"]) for one in row}) < 4
    finally:
        stage_thread.close_all()
    [run] = find_runs(tmp_path / "rollouts")
    assert run.outcomes["success"] == run.outcomes["failure"] == 1
    with open_run(run.path) as stored:
        assert all(len(one.steps) == 2 for one in stored.trajectories())
