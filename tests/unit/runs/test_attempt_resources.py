"""What a run stands on."""

from __future__ import annotations

import msgspec
import pytest

from webgym.errors import ConfigError
from webgym.pipeline.runs.attempt_resources import attempt_resources
from webgym.pipeline.runs.config import BrowserConfig, RunConfig, TasksConfig
from webgym.sites.catalogue import site
from webgym.testing.rollouts import fake_task

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
