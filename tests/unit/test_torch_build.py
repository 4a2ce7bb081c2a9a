"""Which build of PyTorch is installed, and that pip is heard while it installs."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Generator
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from tests.broken_programs import script

from webgym.cli import packages, torch_build
from webgym.errors import ConfigError


@pytest.fixture(scope="module")
def index() -> Generator[str]:
    class Page(SimpleHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/whl/cpu/torch/" else 404)
            self.end_headers()

    with ThreadingHTTPServer(("127.0.0.1", 0), Page) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/whl/cpu"
        server.shutdown()


@pytest.fixture(autouse=True)
def machine(index: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Without a GPU, where PyTorch's index answers and pip is a program that notes what it is asked for."""
    monkeypatch.setattr(torch_build, "CPU_INDEX", index)
    monkeypatch.setattr(torch_build, "_DRIVER", tmp_path / "no-driver")
    monkeypatch.setattr(sys, "executable", str(script(tmp_path / "python", f'echo "$*" >> {tmp_path}/asked')))
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("WEBGYM_TORCH", raising=False)
    return tmp_path


def asked(machine: Path) -> list[str]:
    path = machine / "asked"
    return path.read_text().splitlines() if path.exists() else []


def test_without_a_gpu_pytorch_comes_from_its_index_of_cpu_builds(machine: Path):
    torch_build.install_cpu_build("torch", "--constraint", "lock")
    [command] = asked(machine)
    assert command == f"-m pip install --no-deps --index-url {torch_build.CPU_INDEX} torch --constraint lock"


def test_with_a_gpu_it_comes_from_where_the_rest_does(machine: Path, capfd: pytest.CaptureFixture[str]):
    script(machine / "nvidia-smi", "")
    torch_build.install_cpu_build("torch")
    assert not asked(machine)
    assert "2.7 GB" in capfd.readouterr().err


@pytest.mark.parametrize(("choice", "commands"), [("cpu", 1), ("cuda", 0)])
def test_the_users_choice_counts_more_than_the_machine(
    choice: str, commands: int, machine: Path, monkeypatch: pytest.MonkeyPatch
):
    if choice == "cpu":
        script(machine / "nvidia-smi", "")
    monkeypatch.setenv("WEBGYM_TORCH", choice)
    torch_build.install_cpu_build("torch")
    assert len(asked(machine)) == commands


def test_an_index_that_does_not_answer_is_told_and_not_waited_for(
    machine: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(torch_build, "CPU_INDEX", "http://127.0.0.1:9")
    torch_build.install_cpu_build("torch")
    assert not asked(machine)
    assert "http://127.0.0.1:9 does not answer" in capfd.readouterr().err


def test_it_runs_before_anything_is_installed():
    code = f"import runpy; runpy.run_path({torch_build.__file__!r})"
    bare = str(Path(sys.base_prefix, "bin/python3"))
    subprocess.run([bare, "-I", "-S", "-c", code], check=True)


def test_missing_packages_are_installed_aloud_with_pytorch_first(machine: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(packages, "is_installed", lambda requirement: not requirement.startswith(("torch", "uvicorn")))
    assert packages.install_packages("server", "train")
    first, second = asked(machine)
    assert "--index-url" in first
    assert {"torch", "uvicorn"} == {word.partition("<")[0].partition(">")[0] for word in second.split()[3:]}
    assert "--quiet" not in second


def test_a_pip_that_fails_is_told_with_its_command(machine: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(packages, "is_installed", lambda requirement: not requirement.startswith("uvicorn"))
    script(machine / "python", "exit 1")
    with pytest.raises(ConfigError, match=r"could not install .* -m pip install uvicorn"):
        packages.install_packages("server")
