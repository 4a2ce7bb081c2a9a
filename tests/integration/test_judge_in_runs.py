"""Runs judged by a model while they are made: real sites, real Chromium, a scripted model on loopback."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import anyio
import pytest

from webgym.cli.failures import ExitCode
from webgym.records.trajectory import JudgeUnknown, Success, Truncation
from webgym.store.read import open_run
from webgym.testing.vlm import ScriptedVlm, serving_vlm
from webgym.testing.vlm_world import World

pytestmark = [pytest.mark.anyio, pytest.mark.chromium, pytest.mark.timeout(300)]
SMALL = ("browser.sessions=2", "browser.width=640", "browser.height=480", "monitor.serve=false", "tasks.count=2")


async def _webgym(*arguments: str, code: int = 0) -> str:
    done = await anyio.run_process(
        [sys.executable, "-m", "webgym", *arguments],
        check=False,
        stderr=subprocess.PIPE,
        env=os.environ | {"COLUMNS": "200"},
    )
    assert done.returncode == code, done.stdout.decode() + done.stderr.decode()
    return done.stdout.decode() + (done.stderr.decode() if code else "")


def _model(url: str) -> tuple[str, ...]:
    return (f'judge.model.servers=["{url}"]', "judge.model.model=scripted")


async def test_the_sites_word_and_a_models_are_kept_side_by_side(tmp_path: Path):
    async with serving_vlm(ScriptedVlm(World(), always="contradicted")) as server:
        where = (f"store.root='{tmp_path}'", "name=both")
        said = await _webgym(
            "eval", "agent.use=oracle", "judge.use=both", *_model(server.url), *where, *SMALL, "--json"
        )
        assert json.loads(said)["outcomes"]["success"] == 2  # the site's word counts
        asked = server.count
    assert asked > 0
    with open_run(tmp_path / "both") as run:
        for trajectory in run.trajectories():
            verdict = trajectory.ending.verdict
            assert verdict.judge == "exact"
            assert verdict.success
            if trajectory.ending.answer:
                assert verdict.second.judge == "rubric:scripted"
                assert {one.finding for one in verdict.second.facts} == {"contradicted"}
                assert verdict.second.shots[-1].shown
    compared = json.loads(await _webgym("judge", "compare", str(tmp_path / "both"), "--json"))["agreement"]
    assert compared["only_first"] == compared["attempts"] > 0
    assert compared["facts"]["estimate"] == 0.0


@pytest.mark.full
async def test_a_models_word_decides_and_what_it_said_is_kept_beside_the_run(tmp_path: Path):
    vlm = ScriptedVlm(World(), always="supported")
    async with serving_vlm(vlm) as server:
        where = (f"store.root='{tmp_path}'", "name=rubric")
        more = ("agent.use=oracle", "judge.use=rubric", *_model(server.url), *where, *SMALL)
        await _webgym("eval", *more, "--json")
        with open_run(tmp_path / "rubric") as run:
            found = list(run.trajectories())
            assert {type(one.ending.outcome) for one in found} <= {Success}
            assert all(one.ending.verdict.judge == "rubric:scripted" for one in found)
            assert sum(one.ending.verdict.spent.calls for one in found) == server.count
        assert (tmp_path / "rubric" / "judge.sqlite").is_file()


@pytest.mark.full
async def test_a_model_that_cannot_be_understood_leaves_attempts_without_a_reward(tmp_path: Path):
    async with serving_vlm(ScriptedVlm(World(), misbehaviour="prose")) as server:
        where = (f"store.root='{tmp_path}'", "name=unknown")
        rubric = ("agent.use=oracle", "judge.use=rubric", *_model(server.url))
        await _webgym("eval", *rubric, *where, *SMALL, "--json", code=ExitCode.FAILURES)
    with open_run(tmp_path / "unknown") as run:
        for row in run.rows():
            assert row.reward is None
            assert isinstance(run.ending(row.attempt_id).outcome, JudgeUnknown)


@pytest.mark.full
async def test_an_attempt_without_an_answer_is_looked_at_for_refusals_only(tmp_path: Path):
    vlm = ScriptedVlm(World(), always="supported")
    async with serving_vlm(vlm) as server:
        where = (f"store.root='{tmp_path}'", "name=idle")
        limits = ("limits.easy=1", "limits.medium=1", "limits.hard=1")
        more = ("agent.use=oracle", "judge.use=rubric", *_model(server.url), *where, *SMALL, *limits)
        await _webgym("eval", *more, "--json")
        kinds = {ask.body["response_format"]["json_schema"]["name"] for ask in server.asks}
    with open_run(tmp_path / "idle") as run:
        ended = [run.ending(row.attempt_id) for row in run.rows()]
    assert {type(one.outcome) for one in ended} == {Truncation}
    assert all(one.verdict is None for one in ended)
    assert kinds == {"blocked"}


@pytest.mark.full
async def test_the_judge_is_refused_on_the_policys_servers(tmp_path: Path):
    url = "http://127.0.0.1:9/v1"
    policy = (f'model.servers=["{url}"]', "model.model=policy")
    said = await _webgym(
        "eval",
        *policy,
        "judge.use=rubric",
        *_model(url),
        f"store.root='{tmp_path}'",
        *SMALL,
        code=ExitCode.CONFIGURATION,
    )
    assert "where the policy is served" in said
