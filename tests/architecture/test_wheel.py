"""The built wheel alone has everything in it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from webgym.cli.failures import ExitCode

ROOT = Path(__file__).parents[2]
PROJECTS = [*ROOT.glob("*/*/pyproject.toml"), ROOT / "benchmarks/pyproject.toml"]
BESIDE = sorted(str(path.parent.relative_to(ROOT)) for path in PROJECTS)
MOST_LINES = 120
"""Of a README beside the core: what is longer belongs into the docs."""
LOOK_INSIDE = """
import sys
sys.path.insert(0, {target!r})
import webgym, importlib.resources as r
assert webgym.__file__.startswith({target!r}), webgym.__file__
scripts = r.files('webgym.browser.server.chromium') / 'scripts'
assert {{'settle.js', 'marks.js', 'shadow.js', 'select_menu.js'}} <= {{p.name for p in scripts.iterdir()}}
assert (r.files('webgym') / 'py.typed').is_file()
from pathlib import Path
from webgym.run.shipped_configs import find_config
assert find_config(Path('train-nano')).is_relative_to({target!r})
from webgym.cli.main import main
sys.argv = ['webgym', '--version']
main()
"""


def build(project: Path, out: Path) -> Path:
    run = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(project)]
    subprocess.run(run, check=True, capture_output=True)
    [wheel] = out.glob("*.whl")
    return wheel


def _data(source: Path) -> set[str]:
    """What is no code, below `source`."""
    files = (path for path in source.rglob("*") if path.is_file() and path.suffix not in (".py", ".pyc"))
    return {str(path.relative_to(source)) for path in files}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    wheel = build(ROOT, out)
    target = out / "target"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target), str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    return target


def test_the_wheel_alone_has_pages_scripts_and_types(installed: Path, tmp_path: Path):
    code = LOOK_INSIDE.format(target=str(installed))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "webgym 0." in done.stdout, done.stderr


def test_the_wheel_has_every_file_of_the_core(installed: Path):
    data = _data(ROOT / "src")
    assert len(data) > 100
    assert not [name for name in data if not (installed / name).is_file()]


def test_every_package_beside_the_core_is_built_with_all_its_files_and_a_readme(tmp_path: Path):
    assert len(BESIDE) == 6
    for project in BESIDE:
        built = build(ROOT / project, tmp_path / project)
        assert len((ROOT / project / "README.md").read_text("utf-8").splitlines()) <= MOST_LINES, project
        assert _data(ROOT / project / "src") <= set(zipfile.ZipFile(built).namelist())


def test_the_wheel_holds_nothing_of_the_tests_or_the_workplace(installed: Path):
    top = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert top <= {"webgym", "bin"}


def said(environment: Path, *words: str, code: int = 0) -> str:
    """What a command of an environment says, run far from the clone and from what is installed beside the tests."""
    path = f"{environment / 'bin'}:/usr/bin:/bin"
    own: dict[str, str] = {
        "PATH": path,
        "HOME": str(environment),
        "WEBGYM_HOME": str(environment / "home"),
        "COLUMNS": "200",
    }
    own |= {name: value for name, value in os.environ.items() if name == "WEBGYM_CHROMIUM"}
    line = [environment / "bin/webgym", *words]
    done = subprocess.run(line, capture_output=True, text=True, check=False, cwd=environment, env=own)
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.full
@pytest.mark.chromium
def test_the_core_works_alone_and_each_package_adds_its_own(tmp_path: Path):
    environment = tmp_path / "venv"
    subprocess.run([sys.executable, "-m", "venv", str(environment)], check=True)

    def install(*what: str) -> None:
        pip = [environment / "bin/python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--constraint", ROOT / "requirements.lock", *what], check=True)

    core = build(ROOT, tmp_path / "core")
    install(str(core))
    assert "rollout" in said(environment, "--help")
    assert "nano" not in said(environment, "--help")
    listed = said(environment, "env", "list")
    assert "live" in listed
    assert "hermetic" not in listed
    for command, folder in (("sites", "hermetic"), ("demo", "nano"), ("plan", "benchmarks")):
        told = said(environment, command, "--anything", code=ExitCode.CONFIGURATION)
        assert f"webgym {command} is not installed" in told
        assert re.search(rf"pip install \./.*/{folder}$", told, re.MULTILINE), told
    assert "hermetic" in said(environment, "try", "shop-6", code=ExitCode.CONFIGURATION)

    install(f"{core}[server]", str(build(ROOT / "environments/hermetic", tmp_path / "hermetic")))
    assert "hermetic" in said(environment, "env", "list")
    assert "success after" in said(environment, "try", "shop-6")

    install("--no-deps", str(build(ROOT / "policies/nano", tmp_path / "nano")))  # PyTorch, which it needs, is large
    assert "--minutes" in said(environment, "demo", "--help")
    assert 'dialect = "nano"' in said(environment, "eval", "policy.model=nano", "tasks.use=nano", "--print-config")

    install("--no-deps", str(build(ROOT / "benchmarks", tmp_path / "benchmarks")))
    assert "sessions" in said(environment, "bench", "--help")
