"""Gymnasium environments on real Chromium: Gymnasium's own checks, rewards, vectors, and nothing left behind."""

from __future__ import annotations

import gc
import json
import os
import re
import signal
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Generator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import gymnasium
import numpy as np
import psutil
import pytest
from anyio.from_thread import BlockingPortal, start_blocking_portal
from gymnasium.utils.env_checker import check_env, check_returned_data_not_reused, data_equivalence
from gymnasium.utils.env_match import check_environments_match
from tests.fleets import TOKENS

import webgym.interop.gym
from webgym.browser.client import BrowserClient, connect
from webgym.browser.config import ChromiumConfig, EgressConfig, GatewayConfig, NodeConfig
from webgym.browser.server.supervise import run_fleet
from webgym.errors import SessionError
from webgym.interop.gym import KINDS, AsyncWebEnv, WebEnv, make_async, shared
from webgym.records.action import Answer, Click, Point, Wait
from webgym_hermetic.__main__ import SitesPlan
from webgym_hermetic.control.client import SitesControl, connect_sites
from webgym_hermetic.ground import run_sites
from webgym_hermetic.registry import FAMILIES

pytestmark = pytest.mark.chromium

ROOT = Path(__file__).parents[2]
SMALL = (448, 320)
PATIENCE_SECONDS = 60.0


@dataclass(frozen=True)
class Place:
    """Sites and a fleet for all tests of this module."""

    portal: BlockingPortal
    browser: BrowserClient
    control: SitesControl
    fleet: str
    sites: str

    @property
    def options(self) -> dict[str, Any]:
        return {"fleet": self.fleet, "sites": self.sites, "token": TOKENS.client, "viewport": SMALL}

    def comes_to(self, sessions: int) -> bool:
        """Whether so many sessions and states are open, now or soon: nodes tell the gateway once a second."""

        def held() -> tuple[int, int]:
            return self.portal.call(self.browser.status).sessions, self.portal.call(self.control.status).states

        return eventually(lambda: held() == (sessions, sessions))


@pytest.fixture(scope="module")
def place() -> Generator[Place]:
    with start_blocking_portal() as portal:
        enter = portal.wrap_async_context_manager
        with enter(run_sites(SitesPlan(TOKENS.client))) as sites:
            chromium = ChromiumConfig(egress=EgressConfig(hermetic=sites.hermetic))
            node = NodeConfig(max_sessions=8, chromium=chromium)
            with enter(run_fleet(GatewayConfig(port=0), [node], tokens=TOKENS, log_style="quiet")) as fleet:
                portal.call(fleet.wait_ready)
                with (
                    enter(connect(fleet.url, token=TOKENS.client)) as browser,
                    enter(connect_sites(sites.control_url, TOKENS.client)) as control,
                ):
                    yield Place(portal, browser, control, fleet.url, sites.control_url)


@pytest.fixture
def make(place: Place) -> Generator[Callable[..., Any]]:
    """Makes environments at the place; afterwards nothing of them may be left."""
    made: list[Any] = []

    def make_one(env_id: str, num_envs: int = 0, **options: Any) -> Any:
        every = {**place.options, **options}
        made.append(
            gymnasium.make_vec(env_id, num_envs=num_envs, **every) if num_envs else gymnasium.make(env_id, **every)
        )
        return made[-1]

    yield make_one
    for env in made:
        env.close()
    assert place.comes_to(0)


def solved(env: Any) -> tuple[float, dict[str, Any]]:
    """Let the oracle go on until the episode is over."""
    while True:
        action = env.unwrapped.oracle_action()
        _, reward, terminated, truncated, info = env.step(env.unwrapped.encode(action))
        if terminated or truncated:
            return reward, info


def eventually(holds: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.1)
    return holds()


# -- what Gymnasium checks --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("env_id", ["webgym/Hermetic-v0", pytest.param("webgym/Forum-v0", marks=pytest.mark.full)])
def test_gymnasiums_checker_has_nothing_to_complain_about(make, env_id):
    env = make(env_id, render_mode="rgb_array")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(env.unwrapped)


def test_two_environments_with_the_same_seed_match_pixel_by_pixel(make):
    both = [make("webgym/News-v0", render_mode="rgb_array") for _ in range(2)]
    check_environments_match(*both, num_steps=0, seed=11)
    first, second = (env.reset(seed=5) for env in both)
    assert data_equivalence(first, second, exact=True)
    assert np.unique(first[0]["screenshot"]).size > 10
    for _ in range(3):
        action = both[0].unwrapped.oracle_action()
        assert action == both[1].unwrapped.oracle_action()
        one, other = (env.step(action) for env in both)
        assert one[0]["url"] == other[0]["url"]
        assert data_equivalence(one[1:], other[1:])


def test_data_given_out_by_a_vector_is_not_used_again(make):
    check_returned_data_not_reused(make("webgym/Mail-v0", num_envs=1))


def test_a_vector_gives_what_gymnasiums_own_gives(make):
    ours = make("webgym/Shop-v0", num_envs=2, max_steps=2)
    theirs = make("webgym/Shop-v0", num_envs=2, max_steps=2, vectorization_mode="sync")
    assert ours.single_observation_space == theirs.single_observation_space
    assert ours.single_action_space == theirs.single_action_space
    assert ours.observation_space == theirs.observation_space
    first = ours.reset(seed=3)
    assert data_equivalence(first, theirs.reset(seed=3), exact=True)
    go, stay = Answer("no"), Wait(0.0)
    for pair in ([go, stay], [stay, stay], [stay, go], [stay, stay]):
        actions = batch([ours.unwrapped.single_action_space, *pair])
        one, other = ours.step(actions), theirs.step(actions)
        assert one[0] in ours.observation_space
        assert data_equivalence(one, other)


def batch(space_and_actions: list[Any]) -> Any:
    space, *actions = space_and_actions
    from gymnasium.vector.utils import concatenate, create_empty_array

    from webgym.interop.gym import encode_action
    from webgym.records.observation import Viewport

    items = [encode_action(action, Viewport(*SMALL)) for action in actions]
    return concatenate(space, items, create_empty_array(space, len(items)))


# -- rewards ----------------------------------------------------------------------------------------------------------


LEVELS = ("easy", "medium")
EACH = [
    pytest.param(family, level, marks=[pytest.mark.full] if (place + seed) % 2 else [])
    for place, family in enumerate(FAMILIES)
    for seed, level in enumerate(LEVELS)
]
"""Each family at one of the levels, in turn; at both in the long proofs."""


@pytest.mark.parametrize(("family", "level"), EACH)
def test_the_oracle_earns_the_reward_through_the_action_space(make, family, level):
    env = make(f"webgym/{family.capitalize()}-v0", max_steps=90, split="test", level=level)
    env.reset(seed=LEVELS.index(level))
    reward, info = solved(env)
    assert (reward, info["outcome"]) == (1.0, "success"), info
    assert all(fact.holds for fact in info["verdict"].facts)
    assert len(info["verdict"].facts) == env.unwrapped.task.difficulty


def test_doing_nothing_earns_nothing(make):
    env = make("webgym/Hermetic-v0")
    for seed in range(3):
        env.reset(seed=seed)
        seen, reward, terminated, truncated, info = env.step({"kind": KINDS.index("answer"), "text": "Done."})
        assert (reward, terminated, truncated, info["outcome"]) == (0.0, True, False, "failure")
        assert len(info["verdict"].facts) == env.unwrapped.task.difficulty
        assert not info["verdict"].success
        assert seen["effect"] == "answered"


def test_a_mistake_of_the_agent_is_told_and_a_lost_session_is_raised(make, place):
    env = make("webgym/Tracker-v0")
    env.reset(seed=1)
    seen, *_ = env.step(Click(Point(9000, 10)))
    assert seen["effect"].startswith("failed: off_viewport")
    seen, *_ = env.step({"kind": KINDS.index("press"), "text": ""})
    assert seen["effect"].startswith("failed")
    place.portal.call(end_every_session, place)
    with pytest.raises(SessionError):
        env.step(Wait(0.0))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(Wait(0.0))
    env.reset(seed=1)


async def end_every_session(place: Place) -> None:
    """Behind their holders' backs, as a node does that dies."""
    [held] = [env for one in shared._grounds.values() for loan in one.loans for env in loan._envs]
    assert held._episode is not None
    lease = held._episode._session._lease
    async with connect(place.fleet, token=TOKENS.client) as client:
        headers = {"X-WebGym-Fence": str(lease.fence)}
        url = f"{lease.url}/v1/sessions/{lease.session}"
        await client._transport.send("DELETE", url, seconds=30.0, headers=headers)


def test_a_vector_solves_tasks_of_all_families_one_after_the_other(make):
    envs = make("webgym/Hermetic-v0", num_envs=3, max_steps=90, level="easy", render_mode="rgb_array")
    envs.reset(seed=20)
    wins, begun = 0, 0
    while wins < 4:
        over = [not env.under_way for env in envs._envs]
        _, rewards, terminated, truncated, infos = envs.step(envs.oracle_actions())
        assert not truncated.any()
        assert rewards.tolist() == terminated.astype(float).tolist()
        assert (infos["steps"][over] == 0).all()
        wins += int(rewards.sum())
        begun += sum(over)
    assert begun
    assert [frame.shape for frame in envs.render()] == [(320, 448, 3)] * 3
    assert all(task is not None for task in envs.tasks)


# -- nothing is left behind -------------------------------------------------------------------------------------------


def test_closing_gives_back_sessions_and_states(make, place):
    env, envs = make("webgym/Shop-v0"), make("webgym/Shop-v0", num_envs=3)
    env.reset(seed=1)
    envs.reset(seed=1)
    assert place.comes_to(4)
    envs.close()
    assert place.comes_to(1)
    env.close()
    assert place.comes_to(0)


def test_an_environment_that_nobody_refers_to_any_more_is_closed(place):
    env = WebEnv(**place.options)
    env.reset(seed=1)
    assert place.comes_to(1)
    del env
    gc.collect()
    assert place.comes_to(0)
    assert not shared._grounds


LEAVES = """
import sys, gymnasium, webgym.interop.gym
options = dict(fleet={fleet!r}, sites={sites!r}, token={token!r}, viewport=(448, 320))
env = gymnasium.make("webgym/Shop-v0", **options)
envs = gymnasium.make_vec("webgym/Shop-v0", num_envs=2, **options)
env.reset(seed=1)
envs.reset(seed=1)
print("ready", flush=True)
{then}
"""


@pytest.mark.parametrize("then", ["", "raise SystemExit(3)", "raise KeyboardInterrupt"])
def test_what_a_program_leaves_open_is_closed_when_it_ends(place, then):
    code = LEAVES.format(fleet=place.fleet, sites=place.sites, token=TOKENS.client, then=then)
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=100, check=False)
    assert "ready" in done.stdout, done.stderr
    assert "Exception ignored" not in done.stderr
    assert place.comes_to(0)


ON_DEMAND = """
import gymnasium, signal, webgym.interop.gym
signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs inherit that it is ignored
from webgym.records.action import Wait
env = gymnasium.make("webgym/Shop-v0", viewport=(448, 320), sessions=2)
env.reset(seed=1)
try:
    print("ready", flush=True)  # in here, because the interrupt may be faster than the call of the step
    env.step(Wait(30.0))
except KeyboardInterrupt:
    print("interrupted", flush=True)
env.reset(seed=2)
print("again", flush=True)
env.step(Wait(30.0))
"""


def test_an_interrupted_step_leaves_an_environment_that_goes_on_and_then_no_process(tmp_path):
    command = [sys.executable, "-c", ON_DEMAND]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, start_new_session=True) as program:
        assert program.stdout is not None
        assert program.stdout.readline() == "ready\n"
        children = psutil.Process(program.pid).children(recursive=True)
        assert len(children) > 3
        os.killpg(program.pid, signal.SIGINT)  # as a terminal does, or a notebook
        assert program.stdout.readline() == "interrupted\n"
        assert program.stdout.readline() == "again\n"
        os.killpg(program.pid, signal.SIGINT)
        program.wait(timeout=PATIENCE_SECONDS)
    gone, alive = psutil.wait_procs(children, timeout=PATIENCE_SECONDS)
    assert not alive
    assert gone


# -- the asynchronous twin --------------------------------------------------------------------------------------------


@pytest.mark.anyio
async def test_the_asynchronous_twin_solves_tasks_side_by_side(place):
    rewards: list[float] = []

    async def solve(env: AsyncWebEnv, seed: int) -> None:
        await env.reset(seed=seed)
        over = False
        while not over:
            _, reward, terminated, truncated, _ = await env.step(await env.oracle_action())
            over = terminated or truncated
        rewards.append(reward)

    options = {**place.options, "level": "easy", "max_steps": 90}
    async with make_async("webgym/Forum-v0", **options) as one, make_async("webgym/Mail-v0", **options) as other:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(solve, one, 1)
            tasks.start_soon(solve, other, 2)
    assert rewards == [1.0, 1.0]
    assert place.comes_to(0)


@pytest.mark.anyio
async def test_the_twin_draws_and_shows_what_the_environment_does(place, make):
    env = make("webgym/Travel-v0")
    seen, info = await anyio.to_thread.run_sync(lambda: env.reset(seed=8))
    async with make_async("webgym/Travel-v0", **place.options) as twin:
        assert data_equivalence((seen, info), await twin.reset(seed=8), exact=True)
        assert seen in twin.observation_space


# -- what is shown, runs ----------------------------------------------------------------------------------------------


ONE_AFTER_THE_OTHER = """
import contextlib, io, json, pathlib, runpy, sys
import gymnasium, webgym.interop.gym
programs = sys.argv[1:]
said = {}
for number, program in enumerate(programs):
    if number == 1:  # the first starts sites and browsers by itself, and ends them; the others share these
        held = gymnasium.make("webgym/Shop-v0", viewport=(448, 320), sessions=8)
        held.reset(seed=1)
    with contextlib.redirect_stdout(io.StringIO()) as out:
        runpy.run_path(program, run_name="__main__")
    said[pathlib.Path(program).stem] = out.getvalue()
held.close()
print(json.dumps(said))
"""


def run_alone(*arguments: str, folder: Path) -> str:
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=240, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.full
@pytest.mark.timeout(300)
def test_the_programs_of_the_guide_the_example_and_the_notebook_run(tmp_path):
    """As they are, but in one process: what each of them starts for itself takes longer than what it does."""
    guide = re.findall(r"^```python\n(.*?)^```$", read("docs/gymnasium.md"), re.MULTILINE | re.DOTALL)
    notebook = json.loads(read("examples/gymnasium.ipynb"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert not any(cell["outputs"] for cell in notebook["cells"] if cell["cell_type"] == "code")
    programs = {"one": guide[0], "vector": guide[1], "asynchronous": guide[2], "notebook": "\n\n".join(cells)}
    for name, code in programs.items():
        (tmp_path / f"{name}.py").write_text(code)
    paths = [*(f"{name}.py" for name in programs), str(ROOT / "examples/gymnasium_env.py")]
    said = json.loads(run_alone("-c", ONE_AFTER_THE_OTHER, *paths, folder=tmp_path).splitlines()[-1])
    assert "Verdict" in said["one"]
    assert "Verdict" in said["asynchronous"]
    assert "reward 1.0" in said["notebook"]
    assert "reward 1.0" in said["gymnasium_env"]


def read(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_every_option_and_kind_of_action_is_in_the_guide():
    guide = read("docs/gymnasium.md")
    for name in (*webgym.interop.gym.EnvConfig.model_fields, *KINDS, *webgym.interop.gym.ENV_IDS):
        assert f"`{name}`" in guide, name
