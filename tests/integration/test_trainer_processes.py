"""Trainers spread over processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from tests.unit.train import tiny

CHILD = [sys.executable, "-m", "tests.integration.trainer_child"]
DEADLINE = 600


@pytest.fixture(scope="module")
def model(tmp_path_factory) -> Path:
    return tiny.folder(tmp_path_factory.mktemp("models") / "model")


def start(*arguments: object) -> subprocess.Popen[str]:
    command = [*CHILD, *map(str, arguments)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"OMP_NUM_THREADS": "1"})


def finish(child: subprocess.Popen[str]) -> list[dict]:
    out, _ = child.communicate(timeout=DEADLINE)
    assert child.returncode == 0
    return [json.loads(line) for line in out.splitlines()]


def sharded(model: Path, out: Path, processes: int, kind: str) -> tuple[dict, dict]:
    out.mkdir(exist_ok=True)
    meeting = out / f"meeting-{processes}"
    children = [start(model, meeting, out, rank, processes, kind) for rank in range(processes)]
    said = [finish(child) for child in children]
    return torch.load(out / "found.pt"), said[0][-1]


@pytest.mark.full  # as a run starts them: test_trainer_ranks
@pytest.mark.timeout(DEADLINE)
@pytest.mark.parametrize("kind", ["full", "lora"])
def test_two_processes_have_the_gradients_of_one(model, tmp_path, kind):
    one, said_one = sharded(model, tmp_path / "one", 1, kind)
    two, said_two = sharded(model, tmp_path / "two", 2, kind)
    assert said_two["loss"] == pytest.approx(said_one["loss"], rel=1e-4, abs=1e-5)
    assert one["gradients"][0].keys() == two["gradients"][0].keys()
    for name, gradient in one["gradients"][0].items():
        scale = max(1.0, float(gradient.abs().max()))
        torch.testing.assert_close(two["gradients"][0][name], gradient, atol=1e-5 * scale, rtol=1e-4)
    torch.testing.assert_close(torch.cat(two["logprobs"]), torch.cat(one["logprobs"]), atol=5e-2, rtol=1e-2)


@pytest.mark.full
@pytest.mark.timeout(DEADLINE)
def test_a_reference_that_is_spread_over_processes_is_kept_in_what_it_computes_in(model, tmp_path):
    found, said = sharded(model, tmp_path / "two", 2, "reference")
    assert said["reference"] == ["torch.bfloat16"]
    assert {weight.dtype for weight in found["weights"].values()} == {torch.float32}
    assert 0 <= said["divergence"][0] < said["divergence"][-1]


@pytest.mark.full
@pytest.mark.timeout(DEADLINE)
def test_a_checkpoint_of_two_processes_is_resumed_by_one(model, tmp_path):
    two, _ = sharded(model, tmp_path / "run", 2, "full")
    (tmp_path / "run" / "found.pt").unlink()
    one, said = sharded(model, tmp_path / "run", 1, "full")
    assert said["first"] == 1
    for name, weight in one["weights"].items():
        torch.testing.assert_close(weight, two["weights"][name], atol=2e-3, rtol=1e-2)


@pytest.mark.full
@pytest.mark.timeout(2 * DEADLINE)
def test_the_benchmark_ends_with_one_line_of_json():
    command = [sys.executable, "-m", "webgym", "bench", "trainer", "--size", "tiny", "--rows", "2", "--steps", "1"]
    command += ["--no-compiled", "--json"]
    done = subprocess.run(command, stdout=subprocess.PIPE, timeout=2 * DEADLINE, check=True)
    found = json.loads(done.stdout)
    assert [each["system"] for each in found["found"] if not each["error"]] == ["plain", "packed"]
    assert found["ratios"][0]["tokens_per_second"] > 0
