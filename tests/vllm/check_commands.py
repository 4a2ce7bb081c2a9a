"""What users type, with vLLM as the sampler: the check of a server, and a short training run on real pages."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from tests.child_environment import child_environment
from tests.small_nano import SMALL
from tests.vllm.serving import ARGUMENTS, ENVIRONMENT, PYTHON

from webgym.curves.file import read
from webgym.records.prompt import unpack_ids, unpack_logprobs
from webgym.run.training.folders import Folders
from webgym.train.batch_file import read_batch
from webgym_nano.folder import write_folder
from webgym_nano.model import new_model

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.anyio
SETTINGS = (
    "iterations=2",
    "evaluate.every=0",
    "evaluate.tasks.count=2",
    "train.source.groups=2",
    "train.source.members=3",
    "train.lr=1e-3",
    "train.keep=9",
    "browser.sessions=4",
    "browser.width=448",
    "browser.height=320",
    "agent.dialect=tests.guessing:BLURTING",
    "agent.prompt=bare-1",
    "agent.rounds=0",
    "judge.use=tests.guessing:Coin",
    "policy.max_tokens=16",
    "policy.threads=1",
    "trainer.device=cpu",
    "trainer.precision=float32",
)


def webgym(*arguments: object, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "webgym", *map(str, arguments)],
        check=False,
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=800,
        env=child_environment(COLUMNS="200"),
    )
    assert done.returncode == code, done.stdout + done.stderr
    return done


async def test_the_check_of_a_server_measures_how_far_it_is_from_transformers(replicas, folders):
    (url,) = replicas.urls
    common = ("inference", "check", url, "--prompts", 4, "--tokens", 24, "--width", 128, "--height", 96, "--json")
    said = json.loads(webgym(*common, "--model", folders[0], "--temperature", "0.7").stdout)
    assert (said["replies"], said["same_prompts"], said["with_logprobs"], said["versioned"]) == (4, 4, 4, 4)
    assert said["agreement"]["tokens"] >= 4
    assert said["agreement"]["most"] < 1e-4
    wrong = webgym(*common, "--model", folders[1], code=5)
    assert json.loads(wrong.stdout)["agreement"]["mean"] > 0.5
    assert "different weights or different kernels" in wrong.stderr


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_a_policy_learns_with_vllm_as_its_sampler(tmp_path, mode):
    model = tmp_path / "model"
    write_folder(model, new_model(SMALL), SMALL, dtype=torch.float32)
    toml = ", ".join(f'{name} = "{value}"' for name, value in ENVIRONMENT.items())
    said = webgym(
        "train",
        f"policy.model='{model}'",
        f"store.root='{tmp_path}'",
        "name=run",
        *SETTINGS,
        f"train.mode={mode}",
        "train.flow.evaluation_device=cpu",
        "policy.server=vllm",
        "policy.dtype=float32",
        "policy.length=1024",
        "policy.slots=8",
        f"policy.servers.python={PYTHON}",
        f"policy.servers.arguments={json.dumps(ARGUMENTS)}",
        f"policy.servers.environment={{{toml}}}",
        "policy.servers.images=2",
        "policy.servers.refresh=transfer",
        "--json",
    )
    folders = Folders(tmp_path / "run")
    curve = read(folders.curve)
    assert [one.iteration for one in curve] == [0, 1, 2], said.stderr
    learned = [one for one in curve if one.learned is not None]
    assert [one.version for one in learned] == list(range(1, len(learned) + 1))
    assert learned
    for one in learned:
        assert one.learned.figures["grad_norm"] > 0
    # Sampler against trainer, both in float32. Later weights are published in bfloat16 and learn in float32.
    assert learned[0].learned.figures["kl_mismatch"] < 1e-9
    if mode == "sync":
        assert all(one.learned.figures["kl_mismatch"] < 1e-4 for one in learned)
    for version in range(len(learned)):
        batch = read_batch(folders.batch(version))
        assert batch.samples
        for sample in batch.samples:
            told = set(unpack_ids(sample.versions))
            assert told == {version} if mode == "sync" else max(told) <= version
            assert len(unpack_logprobs(sample.logprobs)) == len(unpack_ids(sample.sampled))
    assert (tmp_path / "run" / "servers" / "vllm-0.log").is_file()
    assert "serves at http://127.0.0.1:" in said.stderr
