"""What `webgym env init` writes: a package with a small environment, to be changed."""

from __future__ import annotations

import re
from importlib import resources
from pathlib import Path

from webgym.errors import ConfigError
from webgym.version import __version__

_PYPROJECT = """\
[project]
name = "{name}"
version = "0.1.0"
description = "An environment for WebGym."
requires-python = ">=3.11"
dependencies = ["webgym>={version}"]

[project.entry-points."webgym.environments"]
{name} = "{module}.environment:{kind}"

[build-system]
requires = ["hatchling"]
build-backend = "hatchling.build"

[tool.hatch.build.targets.wheel]
packages = ["src/{module}"]
"""
_README = """\
# {name}

An environment for WebGym: `src/{module}/environment.py` has its tasks, its pages, its state, its
judge and its oracle.

    pip install -e .
    webgym env check {name}
    webgym eval env={name} agent.use=oracle
    webgym eval env={name} policy.model=nano
"""
_TEST = '''\
"""The environment keeps its promises."""

import subprocess


def test_the_environment_passes_every_check():
    subprocess.run(["webgym", "env", "check", "{name}"], check=True, timeout=600)
'''


def write_template(name: str, folder: Path) -> Path:
    """Write the package into a new or empty folder, and return the folder.

    Raises:
        ConfigError: The name is not one of a package, or the folder has files already.
    """
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)*", name):
        raise ConfigError(f"{name!r} is not a name: use small letters, digits and single hyphens, such as my-notes")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigError(f"{folder} is there already: choose another with --folder")
    module = name.replace("-", "_")
    words = {
        "name": name,
        "module": module,
        "kind": "".join(part.capitalize() for part in name.split("-")) + "Environment",
        "version": __version__,
    }
    package = folder / "src" / module
    package.mkdir(parents=True)
    (folder / "tests").mkdir()
    (folder / "pyproject.toml").write_text(_PYPROJECT.format(**words), encoding="utf-8")
    (folder / "README.md").write_text(_README.format(**words), encoding="utf-8")
    (folder / "tests" / "test_environment.py").write_text(_TEST.format(**words), encoding="utf-8")
    (package / "__init__.py").write_text(f'"""The environment {name}."""\n', encoding="utf-8")
    source = resources.files("webgym.environments.template").joinpath("shopping_list.py").read_text(encoding="utf-8")
    source = source.replace("ShoppingListEnvironment", words["kind"]).replace('"shopping-list"', f'"{name}"')
    (package / "environment.py").write_text(source, encoding="utf-8")
    return folder
