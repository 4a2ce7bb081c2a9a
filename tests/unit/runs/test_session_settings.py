"""What a run's sessions are, beyond where they start."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import msgspec
import pytest
from tests.hermetic_setups import hermetic_setup

from webgym.environments.live import RunningLive
from webgym.errors import ConfigError, TransportError
from webgym.records.environment import Egress, Faults
from webgym.records.observation import ActionFailure, Effect, FailedReason, Observation, PageChange, Viewport
from webgym.records.session import Determinism, Geolocation, Look, SessionSpec, UpstreamProxy
from webgym.records.trajectory import Attempt, Step
from webgym.run.config import BrowserConfig
from webgym.run.episodes import EnvironmentEpisodes, NoJudge, Players, exact_judge
from webgym.run.load import config_from, load_config, to_toml
from webgym.run.session import SessionConfig, session_spec
from webgym.stages import AttemptTerms
from webgym.testing.rollouts import PlayedAgent, fake_task
from webgym_hermetic.catalogue import site
from webgym_hermetic.environment import RunningSites
from webgym_hermetic.tasks.generate import tasks_of
from webgym_hermetic.weather import Weather

WIDE = Viewport(1280, 768)


def chosen(*overrides: str) -> BrowserConfig:
    return load_config(None, [f"browser.{one}" for one in overrides]).browser


def spec_of(*overrides: str, viewport: Viewport = WIDE) -> SessionSpec:
    return session_spec(chosen(*(f"session.{one}" for one in overrides)).session, viewport)


def test_without_settings_sessions_are_as_they_are_by_themselves():
    assert spec_of(viewport=Viewport(640, 480)) == SessionSpec(viewport=Viewport(640, 480))


def test_every_option_of_a_session_can_be_set_for_a_run(tmp_path, monkeypatch):
    state = json.dumps({"cookies": [], "origins": []})
    (tmp_path / "state.json").write_text(state)
    monkeypatch.setenv("PROXY_PASSWORD", "s3same")
    monkeypatch.setenv("SITE_KEY", "Bearer 0pen")
    spec = spec_of(
        "isolation=process",
        "locale=de-DE",
        "timezone=Europe/Berlin",
        "color_scheme=dark",
        "user_agent='Tester/1.0 (of a run)'",
        "headers.X-Run=seven",
        "headers_env.Authorization=SITE_KEY",
        "permissions=['geolocation']",
        "geolocation=[48.5, 9.25]",
        "proxy.server=http://proxy.example:3128",
        "proxy.username=me",
        "proxy.password_env=PROXY_PASSWORD",
        f"storage_state='{tmp_path / 'state.json'}'",
        "determinism=true",
        "epoch_milliseconds=1000",
        "dialogs=dismiss",
        "max_tabs=2",
        "download_quota_bytes=1024",
    )
    assert spec == SessionSpec(
        isolation="process",
        viewport=WIDE,
        locale="de-DE",
        timezone="Europe/Berlin",
        color_scheme="dark",
        user_agent="Tester/1.0 (of a run)",
        headers={"X-Run": "seven", "Authorization": "Bearer 0pen"},
        permissions=("geolocation",),
        geolocation=Geolocation(48.5, 9.25),
        proxy=UpstreamProxy("http://proxy.example:3128", "me", "s3same"),
        storage_state=state,
        determinism=Determinism(epoch_milliseconds=1000),
        dialogs="dismiss",
        max_tabs=2,
        download_quota_bytes=1024,
    )


def test_no_option_of_sessions_is_forgotten():
    of_an_attempt = {"start_url", "state_key", "destinations", "labels"}
    of_the_screen = {"viewport"}  # browser.width and browser.height
    known = {field.name for field in msgspec.structs.fields(SessionSpec)} - of_an_attempt - of_the_screen
    assert known <= SessionConfig.model_fields.keys()


def test_what_is_secret_is_not_stored_with_the_run(tmp_path, monkeypatch):
    (tmp_path / "state.json").write_text('{"cookies": [{"name": "login", "value": "s3same"}]}')
    monkeypatch.setenv("PROXY_PASSWORD", "s3same")
    config = load_config(
        None,
        [
            "browser.session.proxy.server=http://proxy.example:3128",
            "browser.session.proxy.password_env=PROXY_PASSWORD",
            "browser.session.headers_env.Cookie=PROXY_PASSWORD",
            f"browser.session.storage_state='{tmp_path / 'state.json'}'",
        ],
    )
    assert "s3same" in session_spec(config.browser.session, WIDE).storage_state
    stored = to_toml(config)
    assert "s3same" not in stored
    assert config_from(stored) == config


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("session.proxy.server=http://me:s3same@proxy.example:3128", "password_env"),
        ("session.proxy.server=socks5://proxy.example:1080", "http://host:port"),
        ("session.proxy.server=proxy.example", "http://host:port"),
        ("session.headers.authorization='Bearer s3same'", "headers_env"),
        ("session.headers.Cookie='login=s3same'", "headers_env"),
        ("session.geolocation=[1.0]", "latitude"),
        ("session.isolation=container", "session.isolation"),
        ("session.lcoale=de-DE", "session.locale"),
        ("sites=http://127.0.0.1:4301", "browser.url"),
        ("authority=ca.pem", "browser.url"),
    ],
)
def test_settings_that_cannot_be_are_told_without_what_is_secret(override, told):
    with pytest.raises(ConfigError) as caught:
        chosen(override)
    assert told in str(caught.value)
    assert "s3same" not in str(caught.value)


@pytest.mark.parametrize(
    "override",
    ["proxy.password_env=NOT_SET_ANYWHERE", "headers_env.Authorization=NOT_SET_ANYWHERE"],
)
def test_a_variable_that_is_not_set_is_named(override):
    proxy = () if override.startswith("headers") else ("proxy.server=http://proxy.example:3128",)
    with pytest.raises(ConfigError, match=r"NOT_SET_ANYWHERE.*browser\.session"):
        spec_of(*proxy, override)


@pytest.mark.parametrize(
    ("content", "told"), [(None, "cannot be read"), ("{", "not a storage state"), ("[]", "not a storage state")]
)
def test_a_stored_state_that_is_none_is_named(tmp_path, content, told):
    file = tmp_path / "state.json"
    if content is not None:
        file.write_text(content)
    with pytest.raises(ConfigError, match=told) as caught:
        spec_of(f"storage_state='{file}'")
    assert str(file) in str(caught.value)


@pytest.mark.anyio
async def test_every_attempt_has_such_a_session_and_a_seed_of_its_own():
    base = SessionSpec(viewport=WIDE, locale="de-DE", determinism=Determinism(epoch_milliseconds=1000))
    players = Players(lambda _setup: PlayedAgent(()), Look(), lambda _setup: NoJudge())
    episodes = EnvironmentEpisodes(players, RunningLive(), AttemptTerms(base))
    attempt = Attempt("one", msgspec.structs.replace(fake_task(), website="https://example.org/"), seed=7)
    async with episodes.prepare(attempt) as episode:
        assert episode.spec == msgspec.structs.replace(
            base,
            start_url=attempt.task.website,
            determinism=Determinism(seed=7, epoch_milliseconds=1000),
            labels={"attempt": "one"},
        )


class Control:
    """Notes the weather of states, and begins none."""

    def __init__(self) -> None:
        self.weather: list[Weather] = []

    @asynccontextmanager
    async def state(self, site: str, *, weather: Weather) -> AsyncGenerator[str]:
        self.weather.append(weather)
        yield f"key of {site}"


@pytest.mark.anyio
async def test_every_attempt_on_a_hermetic_site_has_a_state_and_weather_of_its_own():
    players = Players(lambda _setup: PlayedAgent(()), Look(), lambda _setup: NoJudge())
    shop, control = site("shop", 0), Control()
    running = RunningSites(control, 1, (shop.name,), Egress())
    episodes = EnvironmentEpisodes(players, running, AttemptTerms(faults=Faults(error_rate=0.5)))
    task = msgspec.structs.replace(fake_task(), website=f"http://{shop.name}.localhost/")
    for seed in (7, 8):
        async with episodes.prepare(Attempt(f"attempt-{seed}", task, seed=seed)) as episode:
            assert episode.spec.state_key == f"key of {shop.name}"
    assert control.weather == [Weather(error_rate=0.5, seed=7), Weather(error_rate=0.5, seed=8)]


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("effect", "reached"),
    [
        (ActionFailure(FailedReason.EGRESS_REFUSED, "127.0.0.1 is this machine"), False),
        (ActionFailure(FailedReason.NAVIGATION, "ERR_CONNECTION_REFUSED"), False),
        (PageChange(("url",)), True),
        (None, True),
    ],
)
async def test_an_attempt_that_never_saw_its_site_is_not_judged(effect: Effect | None, reached: bool):
    shop = site("shop", 0)
    task = next(iter(tasks_of(shop, 1)))
    attempt = Attempt("one", task)
    judge = exact_judge(hermetic_setup(attempt, shop))
    seen = Observation(sequence=1, url=task.website, title="", viewport=WIDE, effect=effect)
    turn = await PlayedAgent(()).decide(None)
    steps = [Step(1, seen, turn)]
    if reached:
        assert not (await judge.judge(attempt, steps, None, "")).success
        return
    with pytest.raises(TransportError, match=shop.name):
        await judge.judge(attempt, steps, None, "")
