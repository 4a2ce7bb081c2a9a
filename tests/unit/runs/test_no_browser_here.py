"""A machine whose runs use a fleet elsewhere needs no browser."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from webgym.cli import setup
from webgym.cli.main import app


@pytest.mark.parametrize("command", [("eval", "agent.use=noop"), ("rollout", "agent.use=noop"), ("train",)])
@pytest.mark.parametrize(("url", "needed"), [("", True), ("http://gateway.example:7000", False)])
def test_a_browser_is_installed_only_for_a_fleet_of_the_runs_own(monkeypatch, tmp_path, command, url, needed):
    asked: list[bool] = []

    def noted(*, browser: bool = True, headed: bool = False, training: bool = False) -> None:
        asked.append(browser)
        raise KeyboardInterrupt

    monkeypatch.setattr(setup, "ensure_ready", noted)
    settings = (f"browser.url='{url}'", f"store.root='{tmp_path}'", "policy.model=nano")
    CliRunner().invoke(app, [*command, *settings])
    assert asked == [needed]
