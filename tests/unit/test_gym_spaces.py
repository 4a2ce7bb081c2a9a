"""Gymnasium environments without a browser: spaces, actions, options, draws, and many episodes at once."""

from __future__ import annotations

import io
from contextlib import asynccontextmanager
from types import SimpleNamespace

import anyio
import gymnasium
import numpy as np
import pytest
from gymnasium.spaces import flatten, flatten_space
from gymnasium.vector import AutoresetMode
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

import webgym.interop.gym as webgym_gym
from webgym.errors import BrowserFault, ConfigError, DeadlineError, LossReason, RequestError, SessionLost
from webgym.interop.gym import KINDS, AsyncWebEnv, decode_action, encode_action, shared
from webgym.interop.gym.actions import action_space
from webgym.interop.gym.config import read_config
from webgym.interop.gym.grounds import EpisodeGround
from webgym.interop.gym.observations import decoded, observation_of
from webgym.interop.gym.spaces import LONGEST_LINE, AnyText, observation_space
from webgym.interop.gym.task_sampler import sampler_for
from webgym.records.action import (
    Answer,
    AnswerDialog,
    Back,
    Click,
    CloseTab,
    Drag,
    Forward,
    Hover,
    MarkRef,
    Navigate,
    Point,
    Press,
    Reload,
    Scroll,
    Select,
    SwitchTab,
    TypeText,
    Upload,
    Wait,
)
from webgym.records.environment import Egress
from webgym.records.observation import (
    ActionFailure,
    Blob,
    Capture,
    Dialog,
    FailedReason,
    NoChange,
    Observation,
    PageChange,
    Viewport,
    address_of,
)
from webgym_hermetic.environment import RunningSites
from webgym_hermetic.finder import task_named
from webgym_hermetic.registry import FAMILIES
from webgym_hermetic.states import Snapshot

SIZE = Viewport(64, 80)
OPTIONS = {"families": ("shop",), "viewport": (SIZE.width, SIZE.height)}

points = st.builds(Point, st.integers(0, SIZE.width - 1), st.integers(0, SIZE.height - 1))
texts = st.text(max_size=40)
keys = st.sampled_from(["Enter", "Control", "a", "+", "Shift", "ArrowDown"])
encodable = st.one_of(
    st.builds(Click, points),
    st.builds(Click, points, count=st.just(2)),
    st.builds(Click, points, button=st.just("right")),
    st.builds(Hover, points),
    st.builds(Drag, points, points),
    st.builds(TypeText, texts, st.none() | points, st.sampled_from(["replace", "append"]), st.booleans()),
    st.builds(Press, st.tuples(keys) | st.tuples(st.just("Control"), keys)),
    st.builds(Scroll, st.integers(-128, 128), st.integers(-160, 160), points),
    st.sampled_from([Back(), Forward(), Reload(), CloseTab()]),
    st.builds(Navigate, texts),
    st.builds(Select, points, st.lists(st.text("abc ü", min_size=1), min_size=1, max_size=3).map(tuple)),
    st.builds(AnswerDialog, st.booleans(), texts),
    st.builds(Wait, st.floats(0, 5)),
    st.builds(Answer, texts),
)


# -- spaces -----------------------------------------------------------------------------------------------------------


@given(encodable)
def test_every_action_survives_the_action_space(action):
    encoded = encode_action(action, SIZE)
    assert encoded in action_space(SIZE)
    assert decode_action(encoded) == action


@given(st.integers(0, 2**32 - 1))
def test_every_sample_of_the_action_space_is_an_action(seed):
    space = action_space(SIZE)
    space.seed(seed)
    sample = space.sample()
    assert sample in space
    assert decode_action(sample) == decode_action({**sample, "point": sample["point"].tolist()})


def test_every_kind_can_be_meant():
    kinds = {type(decode_action({"kind": number})).__name__ for number in range(len(KINDS))}
    assert kinds >= {"Click", "TypeText", "Press", "Scroll", "Back", "Navigate", "Select", "Wait", "Answer"}


def test_a_scroll_without_a_place_is_one_in_the_middle():
    assert decode_action(encode_action(Scroll(dy=50), SIZE)) == Scroll(dy=50, target=Point(32, 40))


@pytest.mark.parametrize(
    "action",
    [
        Click(MarkRef(3)),
        Click(Point(1, 1), button="middle"),
        Click(Point(1, 1), modifiers=("Shift",)),
        Click(Point(64, 1)),
        Scroll(dy=10_000),
        Press(("a", "+", "b")),
        SwitchTab(2),
        CloseTab(2),
        Upload(Point(1, 1), ()),
        Wait(60.0),
        Answer("x" * 5000),
    ],
    ids=str,
)
def test_what_has_no_place_in_the_action_space_is_refused_and_passes_as_it_is(action):
    with pytest.raises(RequestError, match="pass it to `step` directly"):
        encode_action(action, SIZE)
    assert decode_action(action) is action


@pytest.mark.parametrize("action", [{}, {"kind": len(KINDS)}, {"kind": -1}, {"kind": 0, "point": 3}, 7, "click"])
def test_what_is_no_action_is_refused(action):
    with pytest.raises(RequestError, match="invalid action"):
        decode_action(action)


@given(st.text(max_size=60))
def test_text_of_any_script_is_in_the_space_and_can_be_flattened(text):
    space = AnyText(60)
    assert text in space
    assert flatten(space, text) in flatten_space(space)


def test_text_that_is_too_long_or_no_text_is_not_in_the_space():
    assert "x" * 61 not in AnyText(60)
    assert 3 not in AnyText(60)
    assert AnyText(60) == AnyText(60) != AnyText(61)


# -- observations -----------------------------------------------------------------------------------------------------


def jpeg(shade: int = 0, size: Viewport = SIZE) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (size.width, size.height), (shade, shade, shade)).save(out, "JPEG")
    return out.getvalue()


def shown(shade: int = 0, **fields) -> Capture:
    data = jpeg(shade)
    blob = Blob(address_of(data), "image/jpeg", len(data))
    return Capture(Observation(1, "http://a.localhost/", screenshot=blob, **fields), {blob.address: data})


@pytest.mark.parametrize(
    ("effect", "told"),
    [
        (None, ""),
        (PageChange(("url", "content")), "changed: url, content"),
        (PageChange(("focus",), "the value did not change"), "changed: focus; the value did not change"),
        (NoChange(), "unchanged"),
        (ActionFailure(FailedReason.OFF_VIEWPORT, "(900, 3)"), "failed: off_viewport: (900, 3)"),
    ],
)
def test_observations_are_in_their_space_and_tell_what_the_action_did(effect, told):
    seen = observation_of(shown(effect=effect, title="ü" * 999), "Buy “it”.", SIZE, None)
    assert seen in observation_space(SIZE)
    assert seen["effect"] == told
    assert seen["title"] == "ü" * LONGEST_LINE
    assert seen["screenshot"].shape == (80, 64, 3)


def test_an_open_dialog_is_told_over_the_picture_of_before():
    before = np.full((80, 64, 3), 7, dtype=np.uint8)
    capture = Capture(Observation(2, "http://a.localhost/", dialog=Dialog("confirm", "Sure?")))
    seen = observation_of(capture, "Do it.", SIZE, before)
    assert seen["dialog"] == "confirm: Sure?"
    assert (seen["screenshot"] == before).all()
    assert not np.shares_memory(seen["screenshot"], before)


@pytest.mark.parametrize("data", [b"no picture", jpeg(0, Viewport(80, 64))])
def test_a_picture_that_does_not_fit_is_a_fault_of_ours(data):
    with pytest.raises(BrowserFault):
        decoded(data, SIZE)


# -- options and draws ------------------------------------------------------------------------------------------------


def test_importing_registers_one_environment_for_all_sites_one_for_any_and_one_for_each_family():
    assert len(webgym_gym.ENV_IDS) == 2 + len(FAMILIES)
    for env_id in webgym_gym.ENV_IDS:
        assert gymnasium.spec(env_id).vector_entry_point == "webgym.interop.gym.vector:WebVectorEnv"
    assert gymnasium.spec("webgym/Shop-v0").kwargs == {"env": "hermetic", "families": ("shop",)}


def test_making_an_environment_starts_nothing():
    env = gymnasium.make("webgym.interop.gym:webgym/Mail-v0", viewport=(448, 320))
    assert env.observation_space["screenshot"].shape == (320, 448, 3)
    assert env.unwrapped.render() is None
    env.close()
    env.close()
    assert not shared._grounds


@pytest.mark.parametrize(
    ("options", "named"),
    [
        ({"colour": "red"}, "colour"),
        ({"split": "holiday"}, "split"),
        ({"level": "easiest"}, "level"),
        ({"families": ("bakery",)}, "family: bakery"),
        ({"viewport": (0, 10)}, "viewport"),
        ({"max_steps": 0}, "max_steps"),
        ({"sites": "http://127.0.0.1:4301"}, "fleet"),
        ({"render_mode": "ansi"}, "render_mode"),
    ],
    ids=str,
)
def test_options_that_make_no_sense_are_refused_by_name(options, named):
    with pytest.raises(ConfigError, match=named):
        webgym_gym.WebEnv(**options)


@pytest.mark.parametrize(
    ("options", "limits"),
    [({}, (10, 20, 30)), ({"split": "test"}, (30, 50, 70)), ({"split": "test", "max_steps": 5}, (5, 5, 5))],
    ids=str,
)
def test_step_limits_are_those_of_rollouts(options, limits):
    config = read_config(options)
    assert tuple(config.steps(level) for level in ("easy", "medium", "hard")) == limits


def drawn(options, seed, count=4):
    sampler, rng = sampler_for(read_config({"families": ("shop",), **options})), np.random.default_rng(seed)
    return [sampler.draw(rng) for _ in range(count)]


def test_the_same_seed_draws_the_same_tasks_of_the_split():
    first = drawn({"split": "validation"}, 5)
    assert [task.task_id for task in first] == [task.task_id for task in drawn({"split": "validation"}, 5)]
    assert [task.task_id for task in first] != [task.task_id for task in drawn({"split": "validation"}, 6)]
    assert {task.split for task in first} == {"validation"}


def test_level_template_and_ids_narrow_the_draw():
    assert {task.level for task in drawn({"level": "hard"}, 1)} == {"hard"}
    template = drawn({}, 2, 1)[0].template
    assert {task.template for task in drawn({"templates": (template,)}, 3)} == {template}
    wanted = drawn({}, 4, 1)[0]
    assert drawn({"task_ids": (wanted.task_id,), "level": "easy"}, 9) == [wanted] * 4


def test_tasks_go_by_both_kinds_of_ids():
    task = task_named("blueberrystore-003")
    assert task.task_id == "blueberrystore-003"
    assert task.website == "http://blueberrystore.localhost/"


@pytest.mark.parametrize("task_id", ["nowhere-003", "blueberrystore-999", "blueberrystore-fly-1", "blueberrystore"])
def test_unknown_tasks_and_templates_are_named(task_id):
    with pytest.raises(ConfigError, match="there is no task"):
        task_named(task_id)
    with pytest.raises(ConfigError, match="unknown template 'fly'"):
        drawn({"templates": ("fly",)}, 0)


# -- episodes on a fake ground ----------------------------------------------------------------------------------------


class Sessions:
    """Sessions that count their steps, wait for each other if told to, and break if told to."""

    def __init__(self) -> None:
        self.open_now = 0
        self.together = 0
        """How many must be in a step before any of them goes on."""
        self.broken: set[int] = set()
        """Sessions, by the order in which they were opened, that are lost at their next step."""
        self.opened = 0
        self._waiting = 0
        self._all_here = anyio.Event()

    @asynccontextmanager
    async def open(self, spec):
        self.open_now += 1
        number = self.opened
        self.opened += 1
        try:
            yield SimpleNamespace(step=lambda action, look: self._step(number, action))
        finally:
            self.open_now -= 1

    async def _step(self, number, action):
        if action is not None and self.together:
            self._waiting += 1
            if self._waiting == self.together:
                self._all_here.set()
            await self._all_here.wait()
        if action is not None and number in self.broken:
            raise SessionLost("its worker died", reason=LossReason.WORKER_DIED)
        return shown(number % 256, effect=None if action is None else PageChange(("content",)))


class Control:
    """A control plane on which nothing ever happens."""

    def __init__(self) -> None:
        self.states = 0

    @asynccontextmanager
    async def state(self, site, *, weather):
        self.states += 1
        try:
            yield site
        finally:
            self.states -= 1

    async def read(self, key, site):
        return Snapshot(site)


@pytest.fixture
def ground(monkeypatch):
    control = Control()
    made = EpisodeGround(Sessions(), RunningSites(control, 50, (), Egress()))

    @asynccontextmanager
    async def ground_of(config, seats=1):
        yield made

    monkeypatch.setattr(shared, "ground_of", ground_of)
    yield made
    assert made.browser.open_now == control.states == 0
    assert not shared._grounds


@pytest.fixture
def vector(ground):
    made = []

    def make(num_envs, **options):
        made.append(gymnasium.make_vec("webgym/Shop-v0", num_envs=num_envs, **{**OPTIONS, **options}))
        return made[-1]

    yield make
    for envs in made:
        envs.close()


def test_all_sessions_of_a_vector_step_at_the_same_time(ground, vector):
    envs = vector(5)
    envs.reset(seed=1)
    ground.browser.together = 5  # one after the other, the first would wait for ever
    seen, rewards, *_ = envs.step([Wait(0.0)] * 5)
    assert seen["effect"] == ("changed: content",) * 5
    assert rewards.tolist() == [0.0] * 5


def test_batches_are_in_their_spaces(vector):
    envs = vector(3)
    seen, infos = envs.reset(seed=1)
    assert seen in envs.observation_space
    assert seen["screenshot"].shape == (3, 80, 64, 3)
    assert len(set(infos["task_id"])) > 1
    seen, *_ = envs.step(envs.action_space.sample())
    assert seen in envs.observation_space


def test_by_default_another_episode_begins_with_the_step_after_the_last(ground, vector):
    envs = vector(2)
    assert envs.metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    _, first = envs.reset(seed=1)
    _, rewards, terminated, _, infos = envs.step([Answer("no"), Wait(0.0)])
    assert terminated.tolist() == [True, False]
    assert infos["_verdict"].tolist() == [True, False]
    assert not infos["verdict"][0].success
    assert ground.browser.open_now == 1
    _, rewards, terminated, _, infos = envs.step([Answer("ignored"), Wait(0.0)])
    assert (rewards.tolist(), terminated.tolist()) == ([0.0, 0.0], [False, False])
    assert infos["steps"].tolist() == [0, 2]
    assert infos["task_id"][0] != first["task_id"][0]
    assert infos["task_id"][1] == first["task_id"][1]


def test_episodes_can_be_followed_by_another_in_the_same_step(vector):
    envs = vector(2, autoreset_mode=AutoresetMode.SAME_STEP)
    envs.reset(seed=1)
    seen, _, terminated, _, infos = envs.step([Answer("no"), Wait(0.0)])
    assert terminated.tolist() == [True, False]
    assert infos["steps"].tolist() == [0, 1]
    assert infos["final_info"]["outcome"][0] == "failure"
    assert infos["final_obs"][0]["effect"] == "answered"
    assert seen["effect"] == ("", "changed: content")


def test_without_autoreset_the_ones_of_the_mask_begin_anew(vector):
    envs = vector(2, autoreset_mode="Disabled")
    envs.reset(seed=1)
    envs.step([Answer("no"), Wait(0.0)])
    with pytest.raises(gymnasium.error.ResetNeeded):
        envs.step([Wait(0.0)] * 2)
    _, infos = envs.reset(options={"reset_mask": np.array([True, False])})
    assert infos["_task_id"].tolist() == [True, False]
    *_, infos = envs.step([Wait(0.0)] * 2)
    assert infos["steps"].tolist() == [1, 3]
    with pytest.raises(RequestError, match="reset_mask"):
        envs.reset(options={"reset_mask": np.array([False, False])})


def test_a_lost_session_is_raised_and_never_a_reward(ground, vector):
    envs = vector(3)
    envs.reset(seed=1)
    ground.browser.broken = {1}
    with pytest.raises(SessionLost) as caught:
        envs.step([Wait(0.0)] * 3)
    [lost] = np.flatnonzero(envs.failed)
    assert caught.value.__notes__ == [f"in the environments {lost} of a vector"]
    envs.reset(options={"reset_mask": envs.failed})
    *_, infos = envs.step([Wait(0.0)] * 3)
    assert sorted(infos["steps"].tolist()) == [1, 2, 2]
    assert infos["steps"][lost] == 1


def test_wrong_numbers_of_actions_and_seeds_are_refused(vector):
    envs = vector(2)
    with pytest.raises(RequestError, match="3 seeds for 2"):
        envs.reset(seed=[1, 2, 3])
    envs.reset(seed=[4, None])
    with pytest.raises(RequestError, match="1 actions for 2"):
        envs.step([Wait(0.0)])


def test_closed_environments_stay_closed_in_a_vector(vector):
    envs = vector(2)
    envs.reset()
    envs.close()
    with pytest.raises(ConfigError, match="closed"):
        envs.reset()


def test_the_step_limit_truncates_without_reward(ground):
    env = gymnasium.make("webgym/Shop-v0", **OPTIONS, max_steps=2, render_mode="rgb_array")
    env.reset(seed=3)
    assert env.step(Wait(0.0))[2:4] == (False, False)
    _, reward, terminated, truncated, info = env.step(Wait(0.0))
    assert (reward, terminated, truncated, info["outcome"]) == (0.0, False, True, "truncated")
    assert not info["verdict"].success
    assert ground.browser.open_now == 0
    assert env.render().shape == (80, 64, 3)
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(Wait(0.0))
    env.close()


def test_environments_share_a_ground_until_the_last_is_closed(ground):
    envs = [gymnasium.make("webgym/Shop-v0", **OPTIONS) for _ in range(3)]
    for env in envs:
        env.reset(seed=1)
    assert ground.browser.open_now == 3
    assert len(shared._grounds) == 1
    for left, env in zip((2, 1), envs, strict=False):
        env.close()
        assert ground.browser.open_now == left
    assert len(shared._grounds) == 1
    envs[2].close()
    assert not shared._grounds


def test_more_environments_than_the_fleet_has_room_for_are_refused(ground):
    first = gymnasium.make("webgym/Shop-v0", **OPTIONS, sessions=1)
    first.reset(seed=1)
    second = gymnasium.make("webgym/Shop-v0", **OPTIONS)
    with pytest.raises(ConfigError, match="sessions=2"):
        second.reset(seed=1)
    first.close()
    second.reset(seed=1)
    second.close()


def test_what_takes_too_long_is_cut_off_and_the_episode_is_over(ground, monkeypatch):
    monkeypatch.setattr("webgym.interop.gym.env.STEP_SECONDS", 0.2)
    env = gymnasium.make("webgym/Shop-v0", **OPTIONS)
    env.reset(seed=1)
    ground.browser.together = 2  # nobody else comes
    with pytest.raises(DeadlineError):
        env.step(Wait(0.0))
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(Wait(0.0))
    env.close()


def test_a_seed_among_the_options_is_that_of_the_first_reset(ground):
    env = gymnasium.make("webgym/Shop-v0", **OPTIONS, seed=7)
    ids = [env.reset()[1]["task_id"] for _ in range(3)]
    env.close()
    again = gymnasium.make("webgym/Shop-v0", **OPTIONS)
    assert ids == [again.reset(seed=7)[1]["task_id"], *(again.reset()[1]["task_id"] for _ in range(2))]
    again.close()


def test_a_reset_can_name_its_task_and_refuses_other_options(ground):
    env = gymnasium.make("webgym/Shop-v0", **OPTIONS)
    _, info = env.reset(options={"task_id": "blueberrystore-003"})
    assert info["task_id"] == env.unwrapped.task.task_id == "blueberrystore-003"
    with pytest.raises(ConfigError, match="task_id"):
        env.reset(options={"task": 3})
    env.close()


@pytest.mark.anyio
async def test_a_reset_is_tried_again_with_a_fresh_session(ground):
    tries = 0
    look = ground.browser._step

    async def flaky(number, action):
        nonlocal tries
        tries += 1
        if tries < 3:
            raise SessionLost("its worker died", reason=LossReason.WORKER_DIED)
        return await look(number, action)

    ground.browser._step = flaky
    async with AsyncWebEnv(ground, **OPTIONS) as env:
        await env.reset(seed=1)
        assert env.under_way
    assert ground.browser.opened == 3


@pytest.mark.anyio
async def test_the_seed_of_a_reset_is_that_of_the_attempt_too_and_leaves_the_draws_as_they_are(ground):
    prepared = []
    prepare = ground.environment.prepare

    def noted(attempt, terms):
        prepared.append((attempt.task.task_id, attempt.seed))
        return prepare(attempt, terms)

    ground.environment.prepare = noted
    async with AsyncWebEnv(ground, **OPTIONS) as env:
        for seed in (1, 2, 1):
            await env.reset(seed=seed)
            await env.reset()
    assert prepared[:2] == prepared[4:]
    assert len({seed for _, seed in prepared}) == 4
    sampler, rng = sampler_for(read_config(OPTIONS)), np.random.default_rng(1)
    assert [sampler.draw(rng).task_id for _ in range(2)] == [task for task, _ in prepared[:2]]
