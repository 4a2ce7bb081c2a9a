"""`webgym nano lessons` and `suite` ask for what they are told to."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from webgym.cli import setup
from webgym.cli.main import app
from webgym_nano.lessons import collect as collecting
from webgym_nano.lessons import suite as suites
from webgym_nano.lessons.collect import CollectConfig, Collected
from webgym_nano.lessons.lessons import Unsaid
from webgym_nano.lessons.suite import Suite, SuiteConfig


@pytest.fixture(autouse=True)
def _ready(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(setup, "ensure_ready", lambda **_: None)


def test_lessons_are_collected_as_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    asked: list[object] = []

    async def collect(config: CollectConfig, folder: Path, follow: Path | None, told: object) -> Collected:
        del told
        asked.extend((config, folder, follow))
        done = Collected(lessons=30, seconds=2.0, unsaid={"mail": Unsaid(20, {"answer": 3})})
        done.verbs.update({"click": 20, "": 10})
        return done

    monkeypatch.setattr(collecting, "collect", collect)
    words = ["nano", "lessons", str(tmp_path), "--seconds", "5", "--part", "1/4", "--family", "mail", "--follow", "w"]
    result = CliRunner().invoke(app, words)
    assert result.exit_code == 0, result.output
    assert asked == [CollectConfig(seconds=5, part=(1, 4), families=("mail",)), tmp_path, Path("w")]
    assert "30 lessons in 2 s, 15.0 per second" in result.output
    assert "mail 3 of 20" in result.output
    result = CliRunner().invoke(app, [*words, "--json"])
    assert '"verbs":{"click":20,"":10}' in result.stdout


def test_a_suite_is_made_as_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    asked: list[object] = []

    async def make_suite(config: SuiteConfig, out: Path, told: object) -> Suite:
        del told
        asked.extend((config, out))
        return Suite("nano", 3, 10, 1, 4, {"test": 4}, {"mail": 4}, {"answer": 3, "form": 1}, {"1": 4}, ())

    monkeypatch.setattr(suites, "make_suite", make_suite)
    out = tmp_path / "suite.jsonl"
    result = CliRunner().invoke(app, ["nano", "suite", str(out), "--seed", "3", "--each", "2"])
    assert result.exit_code == 0, result.output
    assert asked == [SuiteConfig(seed=3, each=2), out]
    assert "4 of 10 tasks" in result.output
    assert "answer 3  form 1" in result.output
    assert "1 could not be tried" in result.output
