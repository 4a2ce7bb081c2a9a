"""AGENTS.md and the pre-commit hooks name commands, paths and tools that exist."""

from __future__ import annotations

import re
import shlex
import sysconfig
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "AGENTS.md").read_text("utf-8")
BIN = Path(sysconfig.get_path("scripts"))
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
"""`webgym …` commands, `make` targets and links are checked for every page by tests/e2e/test_docs.py."""


def shell_lines(text: str) -> list[str]:
    fences = re.findall(r"^```bash\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [part.strip() for fence in fences for line in fence.splitlines() for part in line.split(" #")[0].split("&&")]


def hooks() -> list[dict[str, Any]]:
    config = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text("utf-8"))
    assert {repository["repo"] for repository in config["repos"]} == {"local"}
    return [hook for repository in config["repos"] for hook in repository["hooks"]]


def tools(lines: list[str]) -> set[str]:
    return {word.removeprefix(".venv/bin/") for line in lines for word in shlex.split(line)[:1] if "/" in word}


def test_the_guide_is_short():
    assert len(GUIDE.splitlines()) <= 120


def test_every_tool_of_the_guide_and_of_the_hooks_is_installed():
    named = tools(shell_lines(GUIDE)) | tools([hook["entry"] for hook in hooks()])
    assert {"pytest", "ruff", "pyright", "lint-imports"} <= named
    assert not [tool for tool in named if not (BIN / tool).exists()]


def test_every_path_of_the_guide_exists():
    code = [*re.findall(r"`([^`\n]+)`", GUIDE), *(word for line in shell_lines(GUIDE) for word in shlex.split(line))]
    paths = {word for word in code if re.fullmatch(r"[\w.-]+(/[\w.-]+)*/?", word) and ("/" in word or "." in word)}
    named = {path for path in paths if not path.startswith((".venv", "asyncio.", "time.", "0/"))}
    assert len(named) > 20
    assert not sorted(path for path in named if not (ROOT / path).exists())


def test_every_test_folder_and_mark_of_the_guide_exists():
    row = next(line for line in GUIDE.splitlines() if line.startswith("| `tests/`"))
    folders = re.findall(r"`(\w+)`", row)
    assert len(folders) > 3
    assert all((ROOT / "tests" / folder).is_dir() for folder in folders)
    marks = {mark.partition(":")[0] for mark in PROJECT["tool"]["pytest"]["ini_options"]["markers"]}
    assert set(re.findall(r"Mark it `(\w+)`.*?`(\w+)`", GUIDE)[0]) <= marks


@pytest.mark.parametrize("hook", hooks(), ids=lambda hook: hook["id"])
def test_a_hook_downloads_nothing_and_checks_what_make_checks(hook: dict[str, Any]):
    assert hook["language"] == "system"
    assert hook["entry"].startswith(".venv/bin/")
    checked = re.search(r"^check:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE)
    assert checked
    tool = hook["entry"].removeprefix(".venv/bin/").split(" --")[0]
    assert f"$(BIN)/{tool}" in checked[1]


def test_limits_of_the_guide_are_those_that_are_enforced():
    lint = PROJECT["tool"]["ruff"]["lint"]
    most = f"functions {lint['pylint']['max-statements']} statements and complexity {lint['mccabe']['max-complexity']}"
    assert most in GUIDE
    assert f"A test has {PROJECT['tool']['pytest']['ini_options']['timeout']} seconds" in GUIDE
    assert "at most 400 lines" in GUIDE
    assert "> 400}" in (ROOT / "tests/architecture/test_source.py").read_text("utf-8")
