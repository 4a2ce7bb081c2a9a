"""Pages that tasks start at, and the egress policy of the run's own fleet."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from webgym.errors import ConfigError
from webgym.run.attempt_resources import environment_of
from webgym.run.load import load_config
from webgym.run.start_pages import check_start_pages
from webgym.run.train_commands import run_train_async
from webgym.testing.rollouts import fake_task

pytestmark = pytest.mark.anyio


async def check(*websites: str, settings: tuple[str, ...] = ()) -> None:
    tasks = [msgspec.structs.replace(fake_task(), website=website) for website in websites]
    config = load_config(None, settings)
    await check_start_pages(config.browser, environment_of(config), tasks)


@pytest.mark.parametrize(
    ("website", "allow"),
    [
        ("http://127.0.0.1:8000/a", "127.0.0.1:8000"),
        ("http://localhost:8000/", "localhost:8000"),
        ("http://0x7f.1/", "127.0.0.1:80"),
        ("https://192.168.1.7/", "192.168.1.7:443"),
        ("http://[::1]:3000/", "[::1]:3000"),
        ("http://10.0.0.1:81/", "10.0.0.1:81"),
    ],
)
async def test_a_private_page_is_refused_with_what_allows_it(website: str, allow: str):
    with pytest.raises(ConfigError) as caught:
        await check("https://example.org/", website)
    assert f"""set browser.allow='["{allow}"]'""" in str(caught.value)
    await check(website, settings=(f"""browser.allow=["{allow}"]""",))
    await check(website, settings=(f"browser.allow={allow}",))


async def test_all_that_have_to_be_allowed_are_told_at_once_besides_those_that_are():
    pages = ["http://127.0.0.1:8000/a", "http://127.0.0.1:8000/b", "http://127.0.0.1:8001/", "http://10.0.0.1/"]
    with pytest.raises(ConfigError) as caught:
        await check(*pages, settings=("browser.allow=127.0.0.1:8001",))
    assert str(caught.value).endswith("""='["127.0.0.1:8001", "127.0.0.1:8000", "10.0.0.1:80"]'""")


async def test_public_pages_hermetic_websites_and_running_fleets_are_not_asked_about():
    await check("https://example.org/", "http://93.184.216.34/", "http://shop-6.localhost:4300/", "nonsense")
    await check("http://127.0.0.1:8000/", settings=("browser.url=http://127.0.0.1:7000",))


@pytest.mark.parametrize(
    ("setting", "told"),
    [
        ("""browser.allow=["http://127.0.0.1:8000/"]""", "browser.allow.*has to be `host:port`"),
        ("""browser.allow=["127.0.0.1"]""", "browser.allow.*has to be `host:port`"),
        ("browser.allow=7", "browser.allow"),
    ],
)
def test_what_is_no_host_and_port_is_told(setting: str, told: str):
    with pytest.raises(ConfigError, match=told):
        load_config(None, [setting])


def test_a_running_fleet_has_its_own_option():
    with pytest.raises(ConfigError, match="webgym serve --allow"):
        load_config(None, ["browser.url=http://127.0.0.1:7000", "browser.allow=127.0.0.1:8000"])


@pytest.mark.chromium
async def test_training_is_refused_too_before_its_run_is_created(tmp_path: Path):
    page = msgspec.to_builtins(msgspec.structs.replace(fake_task(), website="http://127.0.0.1:8000/"))
    tasks = {"use": "given", "given": [page]}
    with pytest.raises(ConfigError, match=r"""browser.allow='\["127.0.0.1:8000"\]'"""):
        await run_train_async(policy={"model": "nano"}, tasks=tasks, store={"root": str(tmp_path)})
    assert not any(tmp_path.iterdir())
