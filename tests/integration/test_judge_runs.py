"""Stored runs judged again: compared, resumed after a kill, stopped by a budget, retried."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import anyio
import pytest
from tests.judged_runs import META, QUALITY, SIDE, cases, store
from typer.testing import CliRunner

from webgym.cli.failures import ExitCode
from webgym.cli.main import app
from webgym.errors import ConfigError, StoreError
from webgym.llm.config import ModelConfig, Prices, Retries, Timeouts
from webgym.records.trajectory import outcome_kind
from webgym.records.verdict import VerdictCost
from webgym.run.config import JudgeConfig
from webgym.run.judging.judgement_log import LOG_FILE, read_judgements, read_plan
from webgym.run.judging.rerun import Rejudging, judge_again
from webgym.store.meta import RunMeta
from webgym.store.read import open_run
from webgym.store.remove import remove_run
from webgym.testing.policy_faults import ErrorStatus, Stall
from webgym.testing.vlm import ScriptedVlm, serving_vlm
from webgym.testing.vlm_world import World

pytestmark = pytest.mark.anyio
SETTINGS = [f"judge.small_side={SIDE}", f"judge.small_quality={QUALITY}"]


def _config(url: str, **more) -> JudgeConfig:
    model = ModelConfig(
        servers=(url,),
        model="scripted",
        retries=Retries(tries=2, pause=0.01, longest_pause=0.02),
        timeouts=Timeouts(deadline=5.0),
        prices=Prices(prompt=1.0, sampled=10.0),
    )
    return JudgeConfig(use="rubric", model=model, small_side=SIDE, small_quality=QUALITY, **more)


async def test_a_run_judged_again_at_no_noise_agrees_with_its_exact_verdicts(tmp_path: Path):
    world = World()
    made = cases(40, world)
    await store(tmp_path / "run", made)
    vlm = ScriptedVlm(world)
    async with serving_vlm(vlm) as server:
        done = await judge_again(tmp_path / "run", _config(server.url), Rejudging())
        assert (done.planned, done.judged, done.now) == (40, 40, 40)  # what broke is not judged
        assert done.stopped == ""
        assert done.agreement.rewards.estimate == 1.0
        assert done.agreement.facts.estimate == 1.0
        assert done.agreement.differences == ()
        assert done.outcomes == dict(sorted(Counter(case.outcome for case in made).items()))
        assert done.spent.calls == server.count
        assert done.spent.picture_bytes == vlm.picture_bytes

        again = await judge_again(tmp_path / "run", _config(server.url), Rejudging())
        assert again.now == 0
        assert again.spent == done.spent
        assert server.count == done.spent.calls
    found = read_judgements(Path(done.out))
    assert {one.attempt_id for one in found} == {case.attempt.attempt_id for case in made}
    total = sum((one.verdict.spent for one in found if one.verdict), VerdictCost())
    asked_only_that = done.spent.calls - total.calls
    assert asked_only_that == sum(case.answer is None for case in made)  # whether they were blocked


async def test_where_judges_differ_is_told(tmp_path: Path):
    world = World()
    made = cases(40, world)
    await store(tmp_path / "run", made)
    async with serving_vlm(ScriptedVlm(world, always="supported")) as server:
        done = await judge_again(tmp_path / "run", _config(server.url), Rejudging(only=("success", "failure")))
    found = done.agreement
    failures = sum(case.outcome == "failure" for case in made)
    assert found.only_second == failures == found.outcomes["failure"]["success"]  # all of them false positives
    assert found.only_first == 0
    assert len(found.differences) == failures
    assert any(one.facts for one in found.differences)


async def test_a_judgement_is_never_written_twice_and_another_judge_needs_another_place(tmp_path: Path):
    world = World()
    await store(tmp_path / "run", cases(6, world))
    async with serving_vlm(ScriptedVlm(world)) as server:
        out = tmp_path / "out"
        done = await judge_again(tmp_path / "run", _config(server.url), Rejudging(), out)
        with pytest.raises(ConfigError, match="choose another --out"):
            await judge_again(tmp_path / "run", _config(server.url, top=1), Rejudging(), out)
        other = await judge_again(tmp_path / "run", _config(server.url, top=1), Rejudging())
        assert other.out != done.out
        assert other.config != done.config
    assert read_plan(out).judge == "rubric:scripted"


async def test_what_had_no_verdict_is_judged_anew_on_request_only(tmp_path: Path):
    world = World()
    made = [case for case in cases(12, world) if case.answer is not None]
    await store(tmp_path / "run", made)
    vlm = ScriptedVlm(world, misbehaviour="prose")
    async with serving_vlm(vlm) as server:
        config = _config(server.url)
        first = await judge_again(tmp_path / "run", config, Rejudging())
        assert first.outcomes == {"judge_unknown": len(made)}
        assert first.agreement.rewarded == 0
        vlm.misbehaviour = None
        kept = await judge_again(tmp_path / "run", config, Rejudging())
        assert (kept.now, kept.outcomes) == (0, first.outcomes)
        retried = await judge_again(tmp_path / "run", config, Rejudging(retry=True))
        assert retried.now == len(made)
        assert "judge_unknown" not in retried.outcomes
        assert retried.spent.calls == server.count  # also what brought nothing was paid for


async def test_a_spent_budget_stops_it_and_a_larger_one_goes_on(tmp_path: Path):
    world = World()
    made = cases(60, world)
    await store(tmp_path / "run", made)
    async with serving_vlm(ScriptedVlm(world)) as server:
        low = _config(server.url, budget=0.35)
        first = await judge_again(tmp_path / "run", low, Rejudging(at_once=4))
        assert "budget" in first.stopped
        assert 0 < first.judged < 60
        assert 0 < first.spent.dollars <= 0.35
        second = await judge_again(tmp_path / "run", _config(server.url, budget=50.0), Rejudging())
        assert (second.judged, second.stopped) == (60, "")
        assert second.spent.calls == server.count


async def test_servers_that_are_gone_stop_it_instead_of_marking_everything(tmp_path: Path):
    world = World()
    await store(tmp_path / "run", cases(60, world))
    async with serving_vlm(ScriptedVlm(world)) as server:
        server.fail(ErrorStatus(500))
        done = await judge_again(tmp_path / "run", _config(server.url), Rejudging(at_once=2))
        assert "had no reply" in done.stopped
        assert (done.judged, done.outcomes) == (0, {})
        assert 16 <= done.unanswered < 60
        server.mend()
        again = await judge_again(tmp_path / "run", _config(server.url), Rejudging())
        assert (again.judged, again.unanswered, again.stopped) == (60, 0, "")


async def test_what_no_server_replied_to_is_no_judgement_however_few_they_are(tmp_path: Path):
    world = World()
    await store(tmp_path / "run", cases(8, world))
    async with serving_vlm(ScriptedVlm(world)) as server:
        server.fail(ErrorStatus(500), times=4)  # two attempts of two tries each
        first = await judge_again(tmp_path / "run", _config(server.url), Rejudging(at_once=1))
        assert (first.judged, first.now, first.unanswered) == (6, 6, 2)
        assert "2 attempts had no reply: the judge's model gave no reply" in first.stopped
        assert "judge_unknown" not in first.outcomes
        second = await judge_again(tmp_path / "run", _config(server.url), Rejudging())
        assert (second.judged, second.now, second.unanswered, second.stopped) == (8, 2, 0, "")


async def test_a_verdict_that_comes_too_late_is_waited_for_again(tmp_path: Path):
    world = World()
    await store(tmp_path / "run", cases(4, world))
    async with serving_vlm(ScriptedVlm(world)) as server:
        server.fail(Stall())
        first = await judge_again(tmp_path / "run", _config(server.url, seconds=0.3), Rejudging())
        assert (first.judged, first.unanswered) == (0, 4)
        server.mend()
        second = await judge_again(tmp_path / "run", _config(server.url), Rejudging())
        assert (second.judged, second.stopped) == (4, "")


async def test_what_the_server_will_not_take_has_no_verdict_for_good(tmp_path: Path):
    world = World()
    made = cases(8, world)
    await store(tmp_path / "run", made)
    async with serving_vlm(ScriptedVlm(world)) as server:
        server.fail(ErrorStatus(400, "too many images"))
        done = await judge_again(tmp_path / "run", _config(server.url), Rejudging())
        assert (done.outcomes, done.unanswered, done.stopped) == ({"judge_unknown": 8}, 0, "")
        assert "rejected the request" in read_judgements(Path(done.out))[0].outcome.why
        asked = server.count
        again = await judge_again(tmp_path / "run", _config(server.url), Rejudging())
        assert (again.now, server.count) == (0, asked)


async def test_a_server_that_takes_no_request_at_all_stops_it(tmp_path: Path):
    world = World()
    await store(tmp_path / "run", cases(60, world))
    async with serving_vlm(ScriptedVlm(world)) as server:
        server.fail(ErrorStatus(401, "no such key"))
        done = await judge_again(tmp_path / "run", _config(server.url), Rejudging(at_once=2))
        assert "no such key" in done.stopped
        assert 16 <= done.judged < 60


async def test_the_command_fails_when_nobody_replied_and_the_same_again_judges_all(tmp_path: Path):
    world = World()
    await store(tmp_path / "run", cases(8, world))
    command = [sys.executable, "-m", "webgym", "judge", "run", str(tmp_path / "run"), "--model", "scripted", *SETTINGS]
    command += ["judge.model.retries.tries=1", "judge.model.retries.longest_pause=0.02", "--json"]
    async with serving_vlm(ScriptedVlm(world)) as server:
        command += ["--server", server.url]
        server.fail(ErrorStatus(500))
        silent = await anyio.run_process(command, check=False, env={**os.environ, "COLUMNS": "300"})
        server.mend()
        live = await anyio.run_process(command, check=False, env={**os.environ, "COLUMNS": "300"})
    assert silent.returncode == ExitCode.FAILURES
    told = json.loads(silent.stdout)
    assert (told["judged"], told["unanswered"], told["outcomes"]) == (0, 8, {})
    assert "8 of 8 attempts were not judged: 8 attempts had no reply" in silent.stderr.decode()
    assert live.returncode == 0
    assert json.loads(live.stdout)["judged"] == 8


async def test_the_judge_does_not_ask_the_servers_of_the_policy(tmp_path: Path):
    world = World()
    async with serving_vlm(ScriptedVlm(world)) as server:
        port = server.url.split(":")[2]
        policy = f'[model]\nservers = ["http://localhost:{port}"]\nmodel = "policy"\n'
        meta = RunMeta("own", 1.0, config=policy, kind="eval")
        await store(tmp_path / "run", cases(2, world), meta)
        with pytest.raises(ConfigError, match="where the policy is served"):
            await judge_again(tmp_path / "run", _config(server.url), Rejudging())
        assert server.count == 0
        shared = _config(server.url, shares_servers=True)
        assert (await judge_again(tmp_path / "run", shared, Rejudging())).judged == 2


async def test_what_cannot_be_judged_again_says_so(tmp_path: Path):
    await store(tmp_path / "run", cases(1, World()))
    with pytest.raises(ConfigError, match="its websites no longer run"):
        await judge_again(tmp_path / "run", JudgeConfig(use="exact"), Rejudging())
    with pytest.raises(ConfigError, match=r"judge\.model\.servers"):
        await judge_again(tmp_path / "run", JudgeConfig(use="rubric"), Rejudging())
    with pytest.raises(StoreError):
        read_judgements(tmp_path / "nowhere")


async def test_a_judge_of_ones_own_judges_a_stored_run(tmp_path: Path):
    made = cases(10, World())
    await store(tmp_path / "run", made)
    config = JudgeConfig(use="examples.own_judge:EveryScreenshotSeen")
    done = await judge_again(tmp_path / "run", config, Rejudging())
    assert done.judged == 10
    assert set(done.outcomes) <= {"success", "failure", "truncated"}


def _judged(log: Path) -> int:
    try:
        with closing(sqlite3.connect(f"{log.absolute().as_uri()}?mode=ro", uri=True)) as opened:
            return opened.execute("SELECT count(*) FROM judgements").fetchone()[0]
    except sqlite3.Error:
        return 0


async def _killed_and_resumed(tmp_path: Path, count: int, kill_at: list[int]) -> None:
    """Judge, be killed at these numbers of judgements, go on; then compare the books with what the server saw."""
    world = World()
    made = cases(count, world)
    await store(tmp_path / "run", made)
    out = tmp_path / "out"
    vlm = ScriptedVlm(world)
    async with serving_vlm(vlm) as server:
        command = [sys.executable, "-m", "webgym", "judge", "run", str(tmp_path / "run"), "--out", str(out)]
        command += ["--server", server.url, "--model", "scripted", "--price-in", "1", "--price-out", "10"]
        command += ["--json", *SETTINGS]
        for number in kill_at:
            process = await anyio.open_process(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with anyio.fail_after(300):
                while _judged(out / LOG_FILE) < number:
                    await anyio.sleep(0.01)
            os.kill(process.pid, signal.SIGKILL)
            await process.wait()
        lost = server.count
        ended = await anyio.run_process(command, stderr=subprocess.DEVNULL)
        done = json.loads(ended.stdout)
        assert done["now"] < count - max(kill_at) + 1
        again = json.loads((await anyio.run_process(command, stderr=subprocess.DEVNULL)).stdout)
        assert again["now"] == 0
        asked = server.count
    assert lost > 0
    assert (done["planned"], done["judged"], done["stopped"]) == (count, count, "")
    assert done["outcomes"] == dict(sorted(Counter(case.outcome for case in made).items()))
    assert done["agreement"]["rewards"]["estimate"] == 1.0
    judged = [one.attempt_id for one in read_judgements(out)]
    assert sorted(judged) == sorted(case.attempt.attempt_id for case in made)
    with closing(sqlite3.connect(out / LOG_FILE)) as log:
        keys, rows = log.execute("SELECT count(DISTINCT key), count(*) FROM replies").fetchone()
        dollars = log.execute("SELECT sum(dollars) FROM replies").fetchone()[0]
    assert keys == rows  # no request was paid for twice
    assert done["spent"]["calls"] == rows
    assert done["spent"]["dollars"] == pytest.approx(dollars)
    # Only requests that were under way when a kill came were sent without a reply being kept.
    assert 0 <= asked - rows <= 16 * len(kill_at)


async def test_a_killed_judge_goes_on_where_it_was(tmp_path: Path):
    await _killed_and_resumed(tmp_path, 60, [20])


@pytest.mark.full
@pytest.mark.timeout(900)
async def test_a_thousand_attempts_killed_half_way_are_judged_once_each_and_the_ledger_adds_up(tmp_path: Path):
    await _killed_and_resumed(tmp_path, 1000, [250, 500])


async def test_the_commands_tell_what_they_found(tmp_path: Path):
    world = World()
    await store(tmp_path / "run", cases(8, world))
    runner = CliRunner()
    command = [sys.executable, "-m", "webgym", "judge", "run", str(tmp_path / "run"), "--model", "scripted", *SETTINGS]
    async with serving_vlm(ScriptedVlm(world)) as server:
        ended = await anyio.run_process([*command, "--server", server.url], env={**os.environ, "COLUMNS": "200"})
    told = ended.stdout.decode()
    assert "8 of 8 attempts judged by rubric:scripted" in told
    assert "same reward: 100.0%" in told
    (folder,) = (tmp_path / "run" / "judgements").iterdir()
    compare = ["judge", "compare", str(tmp_path / "run"), "--judgements", str(folder)]
    shown = runner.invoke(app, [*compare, "--json"], env={"COLUMNS": "200"})
    assert json.loads(shown.stdout.splitlines()[0])["agreement"]["attempts"] == 8
    refused = runner.invoke(app, ["judge", "run", str(tmp_path / "run"), "tasks.count=5"])
    assert isinstance(refused.exception, ConfigError)
    alone = runner.invoke(app, ["judge", "compare", str(tmp_path / "run")])
    assert isinstance(alone.exception, ConfigError)


def test_the_stored_run_is_not_touched_by_being_judged_again(tmp_path: Path):
    async def judged() -> None:
        world = World()
        await store(tmp_path / "run", cases(4, world))
        before = (tmp_path / "run" / "run.sqlite").read_bytes()
        async with serving_vlm(ScriptedVlm(world, always="supported")) as server:
            await judge_again(tmp_path / "run", _config(server.url), Rejudging(), tmp_path / "out")
        assert (tmp_path / "run" / "run.sqlite").read_bytes() == before
        with open_run(tmp_path / "run") as run:
            assert {outcome_kind(run.ending(row.attempt_id).outcome) for row in run.rows()} > {"infrastructure"}

    assert META.kind == "eval"
    anyio.run(judged)


async def test_a_run_that_is_deleted_takes_its_judgements_with_it(tmp_path: Path):
    world = World()
    await store(tmp_path / "run", cases(2, world))
    async with serving_vlm(ScriptedVlm(world)) as server:
        await judge_again(tmp_path / "run", _config(server.url), Rejudging())
    remove_run(tmp_path / "run")
    assert not (tmp_path / "run").exists()
