"""What a run stands on."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager

import msgspec
import pytest

from webgym.browser.config import EgressConfig, GatewayConfig, NodeConfig
from webgym.errors import ConfigError
from webgym.run import attempt_resources as resources
from webgym.run.attempt_resources import attempt_resources
from webgym.run.config import BrowserConfig, RunConfig, TasksConfig
from webgym.testing.rollouts import fake_task
from webgym_hermetic import environment as hermetic
from webgym_hermetic.__main__ import SitesPlan
from webgym_hermetic.catalogue import site
from webgym_hermetic.serve import SitesServer

pytestmark = pytest.mark.anyio


async def refused(website: str, **settings: object) -> str:
    task = msgspec.structs.replace(fake_task(), website=website)
    with pytest.raises(ConfigError) as caught:
        async with attempt_resources(RunConfig.model_validate(settings), [task]):
            pass
    return str(caught.value)


async def test_tasks_on_sites_that_would_not_be_served_are_refused_with_the_setting_that_serves_them():
    said = await refused(f"http://{site('forum', 72).name}.localhost/", tasks=TasksConfig(sites_per_family=20))
    assert "tasks.sites_per_family=73" in said


async def test_a_hermetic_site_that_there_is_not_is_refused():
    assert "nosuchplace" in await refused("http://nosuchplace.localhost/")


async def test_hermetic_tasks_on_someone_elses_fleet_are_refused():
    said = await refused(f"http://{site('forum', 2).name}.localhost/", browser=BrowserConfig(url="http://x"))
    assert "browser.url" in said


class StartedError(Exception):
    """The fleet would start now."""


@pytest.mark.parametrize("website", [f"http://{site('forum', 2).name}.localhost/", "http://127.0.0.1:8080/"])
async def test_every_node_of_a_runs_own_fleet_allows_what_the_run_allows(monkeypatch: pytest.MonkeyPatch, website: str):
    started: list[EgressConfig] = []

    @asynccontextmanager
    async def sites(plan: SitesPlan) -> AsyncGenerator[SitesServer]:
        yield SitesServer("127.0.0.1", 4300, "http://127.0.0.1:4301")

    def fleet(gateway: GatewayConfig, nodes: Sequence[NodeConfig], **_: object) -> None:
        started.extend(node.chromium.egress for node in nodes)
        raise StartedError

    monkeypatch.setattr(hermetic, "run_sites", sites)
    monkeypatch.setattr(resources, "run_fleet", fleet)
    task = msgspec.structs.replace(fake_task(), website=website)
    browser = BrowserConfig(sessions=4, nodes=2, allow=("127.0.0.1:8080",))
    with pytest.raises(StartedError):
        async with attempt_resources(RunConfig(browser=browser), [task]):
            pass
    assert [one.allow for one in started] == [("127.0.0.1:8080",)] * 2
    assert all(bool(one.hermetic) == website.endswith("localhost/") for one in started)
