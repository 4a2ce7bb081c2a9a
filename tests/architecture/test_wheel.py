"""The built wheel alone has everything in it."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
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


def test_every_wheel_has_every_table_and_drawing(tmp_path: Path):
    for project in ("environments/hermetic", "policies/nano", "benchmarks"):
        built = build(ROOT / project, tmp_path / project)
        source = ROOT / project / "src"
        data = {
            str(path.relative_to(source))
            for path in source.rglob("*")
            if path.is_file() and path.suffix not in (".py", ".pyc")
        }
        assert data
        assert data <= set(zipfile.ZipFile(built).namelist())


def test_the_wheel_holds_nothing_of_the_tests_or_the_workplace(installed: Path):
    top = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert top <= {"webgym", "bin"}
