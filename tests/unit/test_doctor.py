"""What `webgym doctor` says about training."""

from __future__ import annotations

import importlib.metadata
from typing import Any

import pytest
from typer.testing import CliRunner

from webgym.cli import doctor
from webgym.cli.main import app
from webgym.serving import gpus


def told(monkeypatch: pytest.MonkeyPatch, version: str | None, count: int) -> doctor.Finding:
    def version_of(_: str) -> str:
        if version is None:
            raise importlib.metadata.PackageNotFoundError("torch")
        return version

    monkeypatch.setattr(importlib.metadata, "version", version_of)
    monkeypatch.setattr(doctor, "count_gpus", lambda: count)
    return doctor._training()


def test_without_torch_it_says_how_to_get_it_and_needs_it_not(monkeypatch: pytest.MonkeyPatch):
    found = told(monkeypatch, None, 0)
    assert (found.found, found.needed) == ("no torch", False)
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
