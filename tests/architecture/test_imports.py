"""Importing is cheap, and each part imports only what it may."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEAVY = {"torch", "transformers", "playwright", "fastapi", "uvicorn", "aiohttp", "PIL", "pyarrow", "psutil"}
SERVER_ONLY = {"playwright", "fastapi", "uvicorn", "uvloop", "httptools", "psutil", "PIL"}
BLOCK = """
import sys
class Block:
    def find_spec(self, name, path=None, target=None):
        if name.split('.')[0] in {blocked!r}:
            raise ModuleNotFoundError(f'No module named {{name!r}}', name=name)
sys.meta_path.insert(0, Block())
"""


def run(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_command_line_imports_nothing_heavy_before_it_has_parsed_its_command():
    code = "import sys; import webgym.cli.main; print('\\n'.join({name.split('.')[0] for name in sys.modules}))"
    assert not HEAVY & set(run(code).split())


def test_a_rollout_client_works_without_the_servers_packages():
    code = BLOCK.format(blocked=SERVER_ONLY | {"torch", "transformers"}) + "import webgym.browser.client, webgym.stages"
    run(code)


@pytest.mark.parametrize("command", [["--help"], ["serve", "--help"], ["bench", "sessions", "--help"], ["doctor"]])
def test_help_and_doctor_work_without_the_servers_packages(command: list[str]):
    code = (
        BLOCK.format(blocked=SERVER_ONLY) + f"sys.argv = ['webgym', *{command!r}]\nfrom webgym.cli.main import main\n"
    )
    code += "try:\n    main()\nexcept SystemExit as end:\n    print('code', end.code)"
    said = run(code)
    if command == ["doctor"]:
        assert "webgym setup" in said
        assert "code 5" in said
    else:
        assert "Usage" in said


def test_the_import_contracts_hold():
    linter = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    assert linter is not None
    done = subprocess.run([linter], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("where", "what"),
    [
        ("browser/client/browser.py", "import webgym.browser.server.http"),
        ("records/action.py", "import webgym.telemetry.log"),
        ("browser/server/node/leases.py", "import webgym.browser.server.chromium.tab"),
        ("testing/fakes.py", "import playwright"),
    ],
)
def test_the_import_contracts_catch_a_planted_violation(tmp_path: Path, where: str, what: str):
    shutil.copytree(ROOT / "src", tmp_path / "src")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    planted = tmp_path / "src" / "webgym" / where
    planted.write_text(planted.read_text() + f"\n{what}\n")
    linter = shutil.which("lint-imports", path=str(Path(sys.executable).parent))
    done = subprocess.run(
        [str(linter), "--no-cache"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "src"), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode != 0, done.stdout
    assert "BROKEN" in done.stdout, done.stdout + done.stderr
