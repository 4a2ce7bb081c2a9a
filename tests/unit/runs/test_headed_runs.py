"""Runs whose browsers have windows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn

import pytest
from pydantic import ValidationError

from webgym.browser.config import GatewayConfig, NodeConfig
from webgym.run import attempt_resources
from webgym.run.config import BrowserConfig, RunConfig


class Started(Exception):
    """In place of a fleet."""


@pytest.mark.anyio
@pytest.mark.parametrize("headed", [False, True])
async def test_a_runs_own_fleet_is_headed_if_the_run_says_so(headed: bool, monkeypatch: pytest.MonkeyPatch):
    def noted(gateway: GatewayConfig, nodes: Sequence[NodeConfig], **_: object) -> NoReturn:
        raise Started([node.chromium.headed for node in nodes])

    monkeypatch.setattr(attempt_resources, "run_fleet", noted)
    config = RunConfig(browser=BrowserConfig(headed=headed, nodes=2))
    with pytest.raises(Started) as told:
        async with attempt_resources.attempt_resources(config, []):
            pass
    assert told.value.args == ([headed, headed],)


def test_how_a_fleet_elsewhere_looks_is_not_for_the_run_to_say():
    with pytest.raises(ValidationError, match="webgym serve --headed"):
        BrowserConfig(url="http://gateway.example:7000", headed=True)
