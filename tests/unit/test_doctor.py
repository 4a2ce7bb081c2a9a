"""What `webgym doctor` says about training, and about room for it."""

from __future__ import annotations

import importlib.metadata
import shutil
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from webgym.cli import doctor
from webgym.cli.main import app
from webgym.serving import gpus

GB = 2**30


def install(monkeypatch: pytest.MonkeyPatch, version: str | None) -> None:
    """That torch, or none."""

    def version_of(_: str) -> str:
        if version is None:
            raise importlib.metadata.PackageNotFoundError("torch")
        return version

    monkeypatch.setattr(importlib.metadata, "version", version_of)


def told(monkeypatch: pytest.MonkeyPatch, version: str | None, count: int) -> doctor.Finding:
    install(monkeypatch, version)
    monkeypatch.setattr(doctor, "count_gpus", lambda: count)
    return doctor._training()


def test_without_torch_it_says_how_to_get_it_and_needs_it_not(monkeypatch: pytest.MonkeyPatch):
    found = told(monkeypatch, None, 0)
    assert (found.found, found.needed) == ("torch is not installed", False)
    assert "webgym setup --training" in found.remedy


@pytest.mark.parametrize(
    ("version", "gpus", "said"),
    [
        ("2.9.0+cpu", 0, "torch 2.9.0+cpu, no GPU"),
        ("2.9.0", 1, "torch 2.9.0, 1 GPU"),
        ("2.9.0", 8, "torch 2.9.0, 8 GPUs"),
    ],
)
def test_torch_and_what_it_can_use_are_told(version: str, gpus: int, said: str, monkeypatch: pytest.MonkeyPatch):
    assert told(monkeypatch, version, gpus) == doctor.Finding("training", said)


def test_a_torch_that_cannot_use_the_gpu_that_is_here_is_a_note(monkeypatch: pytest.MonkeyPatch):
    found = told(monkeypatch, "2.9.0+cpu", 1)
    assert (found.found, found.needed) == ("torch 2.9.0+cpu, which cannot use the GPU here", False)
    assert found.remedy


def test_a_machine_without_the_driver_has_no_gpu(monkeypatch: pytest.MonkeyPatch):
    def missing(_: str) -> None:
        raise OSError("libcuda.so.1: cannot open shared object file")

    monkeypatch.setattr(gpus.ctypes, "CDLL", missing)
    assert gpus.count_gpus() == 0


@pytest.mark.parametrize(("started", "counted"), [(0, 2), (100, 0)])  # 100: CUDA_ERROR_NO_DEVICE
def test_gpus_are_those_that_the_driver_counts(started: int, counted: int, monkeypatch: pytest.MonkeyPatch):
    class Driver:
        def cuInit(self, flags: int) -> int:  # noqa: N802 - CUDA's own name
            return started + flags

        def cuDeviceGetCount(self, count: Any) -> int:  # noqa: N802 - CUDA's own name
            count._obj.value = 2
            return 0

    monkeypatch.setattr(gpus.ctypes, "CDLL", lambda _: Driver())
    assert gpus.count_gpus() == counted


def test_training_is_among_what_doctor_tells():
    said = CliRunner().invoke(app, ["doctor"], env={"COLUMNS": "200"}).output
    assert f"training: torch {importlib.metadata.version('torch')}" in said


def script_driver(monkeypatch: pytest.MonkeyPatch, folder: Path, body: str) -> None:
    """An `nvidia-smi` that does this."""
    tool = folder / "nvidia-smi"
    tool.write_text(f"#!/bin/sh\n{body}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{folder}:/usr/bin:/bin")


def test_gpus_and_their_memory_are_those_that_the_driver_lists(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    script_driver(monkeypatch, tmp_path, "printf 'NVIDIA A100, 81920, 61440\\nNVIDIA A30 MIG 1g, 4096, [N/A]\\n'")
    assert gpus.describe_gpus() == (gpus.Gpu("NVIDIA A100", 80 * GB, 60 * GB),)


def test_no_gpu_is_described_where_the_driver_fails_or_is_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    script_driver(monkeypatch, tmp_path, "echo 'Failed to initialize NVML'; exit 9")
    assert gpus.describe_gpus() == ()
    (tmp_path / "nvidia-smi").unlink()
    monkeypatch.setenv("PATH", str(tmp_path))
    assert gpus.describe_gpus() == ()


def test_the_gpus_that_torch_can_use_are_told_with_their_memory(monkeypatch: pytest.MonkeyPatch):
    install(monkeypatch, "2.9.0")
    known = (gpus.Gpu("NVIDIA A100", 80 * GB, 60 * GB), gpus.Gpu("NVIDIA T4", 15 * GB, 15 * GB))
    monkeypatch.setattr(doctor, "describe_gpus", lambda: known)
    assert doctor._gpus() == [
        doctor.Finding("GPU 0", "NVIDIA A100, 60.0 of 80.0 GB free"),
        doctor.Finding("GPU 1", "NVIDIA T4, 15.0 of 15.0 GB free"),
    ]


@pytest.mark.parametrize("version", [None, "2.9.0+cpu"])
def test_gpus_that_no_torch_can_use_are_not_told(version: str | None, monkeypatch: pytest.MonkeyPatch):
    install(monkeypatch, version)
    monkeypatch.setattr(doctor, "describe_gpus", lambda: pytest.fail("not to be asked"))
    assert doctor._gpus() == []


@pytest.mark.parametrize(("free", "well"), [(300, True), (3, False)])
def test_room_for_runs_is_told_and_little_of_it_is_a_note(
    free: int, well: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    asked: list[Path] = []

    def usage(place: Path) -> object:
        asked.append(place)
        return SimpleNamespace(free=free * GB)

    monkeypatch.setattr(shutil, "disk_usage", usage)
    found = doctor._disk()
    assert (found.what, found.found, found.needed) == (
        "disk",
        f"{free} GB free for runs, in {tmp_path / 'runs'}",
        False,
    )
    assert bool(found.remedy) != well
    (tmp_path / "runs").mkdir()
    doctor._disk()
    assert asked == [tmp_path, tmp_path / "runs"]


def test_doctor_says_how_much_room_there_is_and_needs_no_torch_for_it():
    look = "import sys; from webgym.cli.main import app; app(['doctor'], standalone_mode=False)"
    code = f"import atexit, sys; atexit.register(lambda: print('torch' in sys.modules)); {look}"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False).stdout
    assert "GB free for runs, in " in said
    assert said.endswith("False\n")
