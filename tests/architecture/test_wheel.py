"""The built wheel alone has everything in it."""

from __future__ import annotations

import subprocess
import sys
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
pages = r.files('webgym.bench.pages')
assert any(p.name == 'static' for p in pages.iterdir())
assert (r.files('webgym') / 'py.typed').is_file()
from pathlib import Path
from webgym.pipeline.runs.shipped_configs import find_config
assert find_config(Path('train-nano')).is_relative_to({target!r})
from webgym.bench.pages.site import Site
from webgym.cli.main import main
sys.argv = ['webgym', '--version']
main()
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("wheel")
    run = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)]
    subprocess.run(run, check=True, capture_output=True)
    [wheel] = out.glob("*.whl")
    target = out / "target"
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(target), str(wheel)]
    subprocess.run(install, check=True, capture_output=True)
    return target


def test_the_wheel_alone_has_pages_scripts_and_types(installed: Path, tmp_path: Path):
    code = LOOK_INSIDE.format(target=str(installed))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert "webgym 0." in done.stdout, done.stderr


def test_the_wheel_has_every_table_and_drawing(installed: Path):
    source = ROOT / "src"
    data = {path.relative_to(source) for kind in ("*.toml", "*.svg") for path in source.rglob(kind)}
    assert len(data) > 150
    assert not [path for path in data if not (installed / path).is_file()]


def test_the_wheel_holds_nothing_of_the_tests_or_the_workplace(installed: Path):
    top = {path.name for path in installed.iterdir() if not path.name.endswith(".dist-info")}
    assert top <= {"webgym", "bin"}
