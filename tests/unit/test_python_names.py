"""What `import webgym` offers: a list that users build on, and that costs nothing until it is used."""

from __future__ import annotations

import ast
import importlib
import subprocess
import sys
from pathlib import Path

import pytest

import webgym
from webgym.records.action import Action

NAMES = """
    connect connect_sync load_run
    run_rollout run_eval run_train run_rollout_async run_eval_async run_train_async
    Answer AnswerDialog Back Click CloseTab Drag Forward Hover MarkRef Navigate NewTab Point Press Reload Scroll Select
    SwitchTab TypeText Upload Wait
    Capture Look SessionSpec Task Verdict
    Agent Browser Judge Policy Session Trainer
    WebGymError __version__
""".split()
HEAVY = {"torch", "transformers", "playwright", "fastapi", "uvicorn", "aiohttp", "PIL", "pyarrow", "psutil", "numpy"}
CHEAP = HEAVY | {"anyio", "msgspec", "pydantic", "rich", "typer"}


def test_the_names_are_these():
    assert sorted(webgym.__all__) == sorted(NAMES)
    assert set(NAMES) <= set(dir(webgym))


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_what_it_says(name: str):
    found = getattr(webgym, name)
    assert getattr(found, "__name__", name) == name
    assert getattr(webgym, name) is found


def test_every_action_is_among_them():
    assert {kind.__name__ for kind in Action.__args__} <= set(NAMES)


def test_no_name_is_that_of_a_part_of_the_package():
    """Else it would change its meaning as soon as somebody imports that part."""
    parts = {path.stem for path in Path(webgym.__file__).parent.iterdir()}
    assert not parts & set(NAMES)


def test_a_name_that_there_is_not_is_told_as_any_module_would():
    with pytest.raises(AttributeError, match="module 'webgym' has no attribute 'fly'"):
        webgym.fly  # noqa: B018


def test_type_checkers_see_the_same_names_in_the_same_places():
    tree = ast.parse(Path(webgym.__file__).read_text())
    [block] = [node for node in tree.body if isinstance(node, ast.If)]
    seen = {name.name: node.module for node in block.body if isinstance(node, ast.ImportFrom) for name in node.names}
    for name in set(NAMES) - {"load_run", "__version__"}:
        assert getattr(importlib.import_module(seen[name]), name) is getattr(webgym, name)


def imported_by(code: str) -> set[str]:
    shown = f"import sys; {code}; print(*{{name.split('.')[0] for name in sys.modules}})"
    done = subprocess.run([sys.executable, "-c", shown], capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_importing_it_imports_nothing_else():
    assert not CHEAP & imported_by("import webgym; dir(webgym)")


def test_records_and_protocols_are_had_without_anything_heavy():
    assert not HEAVY & imported_by("from webgym import Agent, Click, Point, SessionSpec, Task, WebGymError")


def test_the_client_is_had_without_the_servers_packages():
    assert not (HEAVY - {"aiohttp"}) & imported_by("from webgym import connect, connect_sync")


def test_runs_are_had_without_a_model_or_a_browser():
    heavy = {"torch", "transformers", "tokenizers", "playwright"}
    assert not heavy & imported_by("from webgym import run_eval, run_train")


def test_what_is_not_installed_is_told_with_what_to_do():
    code = """
import sys, webgym
sys.modules["uvicorn"] = None
try:
    webgym.run_eval
except ImportError as error:
    print(error.__notes__)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "webgym setup" in done.stdout
