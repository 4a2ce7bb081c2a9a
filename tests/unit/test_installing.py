"""What the docs tell people to install is ours, and enough."""

from __future__ import annotations

import ast
import platform
import re
import shlex
import sys
import tomllib
from pathlib import Path

import pytest
from packaging.version import Version

from webgym.browser.server.chromium.libraries import packages_with
from webgym.cli import setup

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/**/*.md")])
FILES = sorted([*PAGES, *(path for kind in ("py", "ipynb", "toml") for path in ROOT.glob(f"examples/**/*.{kind}"))])
WARNS = "unrelated project"
"""Where a page says what the name gets instead."""
_NAME = re.compile(r"[\w.-]+")


def by_name(line: str) -> bool:
    """Whether a line installs webgym by that name from an index, rather than from a clone."""
    for told in re.findall(r"pip3? install ([^`|;&]*)", line):
        try:
            words = shlex.split(told, comments=True)
        except ValueError:  # prose with an apostrophe
            words = told.split()
        named = (_NAME.match(word.strip("'\"")) for word in words if "/" not in word)
        if any(name and name[0].lower() == "webgym" for name in named):
            return True
    return False


@pytest.mark.parametrize("page", FILES, ids=lambda page: str(page.relative_to(ROOT)))
def test_nothing_is_installed_by_a_name_that_is_somebody_elses(page: Path):
    lines = page.read_text("utf-8").splitlines()
    assert not [line for line in lines if by_name(line) and WARNS not in line]


def test_such_lines_are_found():
    for line in (
        "pip install webgym",
        "pip install --no-deps webgym",
        "Run `pip install 'webgym[train]'`.",
        "pip install -U webgym==1",
    ):
        assert by_name(line), line
    for line in (
        "pip install .",
        "pip install '.[train]'",
        "pip install --no-deps ./webgym",
        "pip install wandb # webgym",
    ):
        assert not by_name(line), line


def extra(name: str) -> set[str]:
    """Packages that the project and one of its extras ask for."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    asked = [*project["dependencies"], *project["optional-dependencies"][name]]
    return {_NAME.match(one)[0].lower().replace("-", "_") for one in asked}


def imported(path: Path) -> set[str]:
    """Packages of others that a module asks for, at once or when they are needed."""
    found = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        match node:
            case ast.Import(names=names):
                found |= {one.name for one in names}
            case ast.ImportFrom(module=str(module)):
                found.add(module)
            case ast.Call(func=ast.Attribute(attr="import_module"), args=[ast.Constant(value=str(module))]):
                found.add(module)
    return {name.partition(".")[0] for name in found} - sys.stdlib_module_names - {"webgym"}


def test_the_extra_of_task_sets_has_all_that_they_need():
    needed = set().union(*(imported(path) for path in (ROOT / "src/webgym/tasks").rglob("*.py")))
    assert {"publicsuffixlist", "huggingface_hub"} <= needed
    assert needed <= extra("tasks")


def test_what_the_wheel_asks_for_ends_before_the_first_major_version_that_no_test_has_seen():
    pinned = dict(line.lower().split("==") for line in (ROOT / "requirements.lock").read_text("utf-8").split())
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    optional = project["optional-dependencies"]
    extras = [line for name, lines in optional.items() if name != "dev" for line in lines]
    asked = [line for line in (*project["dependencies"], *extras) if not line.startswith("webgym[")]
    assert len(asked) > 20
    for line in asked:
        name, low, high = re.fullmatch(r"([\w-]+)>=([\d.]+),<(\d+)", line).groups()
        tested = Version(pinned[name.lower()])
        assert Version(low) <= tested, line
        assert int(high) == tested.major + 1, line


def apt_lines(page: str) -> set[str]:
    return set(re.findall(r"^sudo apt-get install -y (.+)$", (ROOT / page).read_text("utf-8"), re.MULTILINE))


def test_the_pages_name_the_same_packages_to_begin_with_as_are_tested():
    assert len(apt_lines("README.md")) == 1
    assert apt_lines("README.md") == apt_lines("docs/installation.md")
    assert r"'s/^sudo apt-get install" in (ROOT / "tests/bare/run").read_text("utf-8")


def test_the_pages_name_every_package_that_setup_may_install(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(platform, "freedesktop_os_release", lambda: {"ID": "ubuntu", "VERSION_ID": "24.04"})
    said = (ROOT / "docs/installation.md").read_text("utf-8")
    [on_debian] = re.findall(r"^\| Debian \|(.*)\|$", said, re.MULTILINE)
    [on_ubuntu] = re.findall(r"^\| Ubuntu.*\|$", said, re.MULTILINE)
    assert {"libatomic1", *setup.DEBIAN_PACKAGES} == set(re.findall(r"`([^`]+)`", on_debian))
    named = {word for span in re.findall(r"`([^`]+)`", on_ubuntu) for word in span.split()}
    assert named == {*packages_with(), *setup.BESIDE_PLAYWRIGHTS}
    assert set(re.findall(r"`libatomic1 ([^`]+)`", (ROOT / "README.md").read_text("utf-8"))) == {
        " ".join(setup.DEBIAN_PACKAGES)
    }
