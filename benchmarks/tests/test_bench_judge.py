"""The benchmark of judges: it counts what arrives, and the baseline does what the published one did."""

from __future__ import annotations

import anyio
import msgspec
import pytest
from typer.testing import CliRunner

from webgym.cli.main import app
from webgym.llm.client import open_client
from webgym.llm.config import ModelConfig
from webgym.rng import Rng
from webgym.testing.vlm import ScriptedVlm, serving_vlm
from webgym.testing.vlm_world import World
from webgym_bench.judge.compare import compare
from webgym_bench.judge.conditions import Conditions
from webgym_bench.judge.published import PublishedPipeline
from webgym_bench.judge.published_replies import published_reply
from webgym_bench.judge.synthetic_attempts import synthetic_attempts


@pytest.mark.anyio
async def test_the_baseline_makes_the_published_requests_and_no_others():
    world = World()
    attempts = [one for one in synthetic_attempts(60, world, seed=2) if one.outcome in {"success", "failure"}]
    pictures = {address: data for one in attempts for address, data in one.blobs.items()}
    vlm = ScriptedVlm(world, also=published_reply)
    async with serving_vlm(vlm) as server, open_client(ModelConfig(servers=(server.url,), model="m")) as client:
        for one in attempts:
            task, steps, before = one.trajectory.attempt.task, len(one.trajectory.steps), server.count
            pages = len({step.observation.url for step in one.trajectory.steps})
            assert await PublishedPipeline(client, pictures).judge(one.trajectory) is (one.outcome == "success")
            most = steps + task.difficulty + 1 + bool(task.reference)
            calls = server.count - before
            assert pages == steps
            if one.outcome == "success":
                assert calls == most, "T - 1 keypoints, 1 blocked, 1 criterion B, R criterion A, 1 reference"
            else:
                assert steps + 1 <= calls <= most, "it stops at the first that fails"


@pytest.mark.anyio
async def test_both_judge_the_same_attempts_alike_and_ours_asks_less():
    found = await compare(Conditions(attempts=40, full_size=False, false_positive=0, false_negative=0), lambda *_: None)
    told = found.as_json()
    assert found.ours.rewarded == found.published.rewarded == found.ours.truth
    assert found.ours.calls < 0.5 * found.published.calls
    assert found.ours.picture_bytes < 0.5 * found.published.picture_bytes
    assert told["accuracy_difference"] == 0.0
    assert told["within_noise"]


@pytest.mark.anyio
async def test_a_model_that_errs_is_wrong_as_often_for_both():
    conditions = Conditions(attempts=60, full_size=False, false_positive=0.1, false_negative=0.1, seed=5)
    found = await compare(conditions, lambda *_: None)
    ours, published = (sum(one.right.values()) / 60 for one in (found.ours, found.published))
    assert ours < 1.0 > published
    assert found.difference.low <= 0.0 <= found.difference.high


def test_lengths_and_facts_are_as_the_conditions_say():
    conditions = Conditions(mean_steps=9.9, easy=0.8)
    rng = Rng("lengths")
    pages = [conditions.pages(rng) for _ in range(3000)]
    facts = [conditions.facts(rng) for _ in range(3000)]
    assert 8.5 < sum(pages) / 3000 < 10.5
    assert min(pages) == 2
    assert max(pages) <= 30
    assert 0.77 < sum(one <= 3 for one in facts) / 3000 < 0.83


def test_the_command_ends_with_one_line_of_json():
    said = CliRunner().invoke(app, ["bench", "judge", "--attempts", "12", "--no-full-size", "--json"])
    assert said.exit_code == 0, said.output
    figures = msgspec.json.decode(said.stdout.strip().splitlines()[-1])
    assert {"calls_ratio", "image_bytes_ratio", "accuracy_difference", "within_noise"} <= set(figures)
    assert figures["calls_ratio"] < 0.5


def test_scripted_replies_are_the_same_whoever_runs_first():
    conditions = Conditions(attempts=10, full_size=False)
    first, second = (anyio.run(compare, conditions, lambda *_: None).as_json() for _ in range(2))
    assert first == second
