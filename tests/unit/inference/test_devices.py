"""Which GPUs servers take that are started: as many as there are, without a GPU here."""

from __future__ import annotations

from pathlib import Path

import pytest

from webgym.errors import ConfigError
from webgym.inference.config import ServersConfig
from webgym.inference.launch import Serving
from webgym.inference.opening import open_replicas
from webgym.records.sample import PolicyVersion
from webgym.serving import gpus

pytestmark = pytest.mark.anyio


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch):
    """Has as many GPUs as it is told, of which the run sees some."""

    def has(count: int, visible: str | None = None) -> None:
        monkeypatch.setattr(gpus, "count_gpus", lambda: count)
        if visible is None:
            monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
        else:
            monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)

    return has


async def seen_by_servers(tmp_path: Path, **settings) -> list[str]:
    """CUDA_VISIBLE_DEVICES of each replica, as its process has it."""
    python = tmp_path / "python"
    log = tmp_path / "seen"
    log.mkdir(exist_ok=True)
    # The second argument is a server's module; whoever asks for the version is not a server.
    python.write_text(
        f'#!/bin/sh\n[ "$1" = -m ] || exit 1\n'
        f'echo "${{CUDA_VISIBLE_DEVICES-unset}}" > {log}/$(echo "$TMPDIR" | tr / _)\n'
        f"while [ $(ls {log} | wc -l) -lt {settings.get('replicas', 1)} ]; do sleep 0.02; done\nexit 3\n"
    )
    python.chmod(0o755)
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"")
    config = ServersConfig(python=str(python), **settings)
    with pytest.raises(ConfigError) as refused:
        async with open_replicas(Serving("vllm"), config, PolicyVersion(0, str(tmp_path)), logs=tmp_path):
            pass
    if "it ended with code 3" not in str(refused.value):
        raise refused.value
    return sorted(path.read_text().strip() for path in log.iterdir())


async def test_replicas_get_gpus_of_their_own_unless_told_otherwise(machine, tmp_path):
    machine(4)
    assert await seen_by_servers(tmp_path, replicas=2) == ["0,1", "2,3"]


async def test_numbers_are_among_the_gpus_that_the_run_sees(machine, tmp_path):
    machine(4, "4,5,6,7")
    assert await seen_by_servers(tmp_path, replicas=2, devices=("1", "2,3")) == ["5", "6,7"]


async def test_gpus_that_are_named_by_uuid_are_passed_on_by_uuid(machine, tmp_path):
    machine(2, "GPU-aaaa,GPU-bbbb")
    assert await seen_by_servers(tmp_path, replicas=2, devices=("1", "GPU-cccc")) == ["GPU-bbbb", "GPU-cccc"]


@pytest.mark.parametrize("devices", [(), ("1",)])
async def test_without_gpus_that_can_be_counted_servers_see_what_they_are_told(machine, devices, tmp_path):
    machine(0)
    assert await seen_by_servers(tmp_path, devices=devices) == ["1" if devices else "unset"]


async def test_an_environment_that_the_user_gave_is_left_alone(machine, tmp_path):
    machine(1)
    settings = {"replicas": 2, "environment": {"CUDA_VISIBLE_DEVICES": "0"}}
    assert await seen_by_servers(tmp_path, **settings) == ["0", "0"]


async def test_servers_that_say_how_much_memory_they_take_may_share_a_gpu(machine, tmp_path):
    machine(1)
    settings = {"replicas": 2, "arguments": ("--gpu-memory-utilization", "0.4")}
    assert await seen_by_servers(tmp_path, **settings) == ["0", "0"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"devices": ("2",)}, r"devices names GPU 2, and there are 2 that this run sees \(CUDA_VISIBLE_DEVICES=6,7\)"),
        ({"replicas": 7}, r"7 servers.*7 GPUs.*2 are left.*CUDA_VISIBLE_DEVICES=6,7"),
        ({"arguments": ("--tensor-parallel-size=4",)}, r"1 server of 4 GPUs.*2 are left"),
        ({"replicas": 2, "devices": ("0,1", "1")}, r"devices gives GPU 1 to two servers"),
    ],
)
async def test_gpus_that_are_not_there_or_given_twice_are_refused_before_anything_starts(
    machine, settings, said, tmp_path
):
    machine(2, "6,7")
    with pytest.raises(ConfigError, match=said):
        await seen_by_servers(tmp_path, **settings)


@pytest.mark.parametrize(
    ("count", "visible", "seen"),
    [
        (3, None, ("0", "1", "2")),
        (0, None, ()),
        (0, "", ()),
        (2, "3, 1", ("3", "1")),
        (1, "GPU-8f3a,9,GPU-11", ("GPU-8f3a",)),  # CUDA stops at the first that is not there
    ],
)
def test_visible_gpus_are_named_as_a_child_finds_them(machine, count, visible, seen):
    machine(count, visible)
    assert gpus.visible_gpus() == seen
