"""Which GPUs the servers of a training run take: not the trainer's."""

from __future__ import annotations

import anyio
import pytest
from tests.unit.store.making import META

from webgym.errors import ConfigError
from webgym.run.devices import with_devices
from webgym.run.load import load_config_as
from webgym.run.progress import NoProgress
from webgym.run.train import train
from webgym.run.train_config import TrainConfig
from webgym.serving import gpus

SERVERS, EVALUATION = "policy.servers", "train.flow.evaluation_servers"
SHARING = '.arguments=["--gpu-memory-utilization", "0.4"]'
ASYNC = "train.mode=async"


@pytest.fixture(autouse=True)
def eight_gpus(monkeypatch: pytest.MonkeyPatch) -> None:
    machine(monkeypatch, 8)


def machine(monkeypatch: pytest.MonkeyPatch, count: int, visible: str | None = None) -> None:
    monkeypatch.setattr(gpus, "count_gpus", lambda: count)
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)


def config_with(*settings: str) -> TrainConfig:
    return load_config_as(TrainConfig, None, ["policy.model=nano", "policy.server=vllm", *settings])


def given(*settings: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What servers of training and of evaluations get."""
    config = with_devices(config_with(*settings))
    return config.policy.servers.devices, config.train.flow.evaluation_servers.devices


@pytest.mark.parametrize(
    ("settings", "devices"),
    [
        ((f"{SERVERS}.replicas=7",), ("1", "2", "3", "4", "5", "6", "7")),
        ((f"{SERVERS}.replicas=3",), ("1,2", "3,4", "5,6")),
        (("trainer.processes=4", f"{SERVERS}.replicas=2"), ("4,5", "6,7")),
        (("trainer.device=cpu", f"{SERVERS}.replicas=2"), ("0,1,2,3", "4,5,6,7")),
        ((f"{SERVERS}.replicas=2", f"{SERVERS}.sleep=true"), ("0,1,2,3", "4,5,6,7")),
        ((ASYNC, f"{SERVERS}.replicas=3", f"{SERVERS}.sleep=true"), ("1,2", "3,4", "5,6")),
        ((ASYNC, f"{SERVERS}.replicas=2", "train.flow.evaluation_device=cuda:7"), ("1,2,3", "4,5,6")),
        ((f'{SERVERS}.devices=["3"]',), ("3",)),
        ((f'{SERVERS}.urls=["http://gpu1:8000"]',), ()),
        ((f'{SERVERS}.environment={{CUDA_VISIBLE_DEVICES = "0"}}',), ()),
        (("policy.server=engine",), ()),
    ],
)
def test_servers_divide_what_the_trainer_leaves(settings, devices):
    assert given(*settings)[0] == devices


@pytest.mark.parametrize(
    ("settings", "devices"),
    [
        ((f"{SERVERS}.replicas=4", f"{EVALUATION}.replicas=2"), (("1", "2", "3", "4"), ("5", "6"))),
        ((f'{SERVERS}.devices=["1,2"]', f"{EVALUATION}.replicas=1"), (("1,2",), ("3,4,5,6,7",))),
        ((f"{EVALUATION}.replicas=1", f'{EVALUATION}.devices=["1"]'), (("2,3,4,5,6,7",), ("1",))),
        ((f'{SERVERS}.urls=["http://gpu1:8000"]', f"{EVALUATION}.replicas=1"), ((), ("1,2,3,4,5,6,7",))),
        ((f"{SERVERS}.replicas=7", f"{EVALUATION}.replicas=1", EVALUATION + SHARING), (tuple("1234567"), ("1",))),
    ],
)
def test_servers_of_evaluations_get_gpus_of_their_own(settings, devices):
    assert given(ASYNC, *settings) == devices


@pytest.mark.parametrize(
    "settings", [(f"{SERVERS}.sleep=true",), (SERVERS + SHARING,), (f'{SERVERS}.devices=["0"]', SERVERS + SHARING)]
)
def test_the_only_gpu_is_shared_by_servers_that_sleep_or_say_how_much_they_take(settings, monkeypatch):
    machine(monkeypatch, 1)
    assert given(*settings) == (("0",), ())


def test_a_run_that_has_only_evaluations_left_sets_no_gpu_aside_for_the_trainer(monkeypatch):
    machine(monkeypatch, 1)
    assert with_devices(config_with(), trains=False).policy.servers.devices == ("0",)
    with pytest.raises(ConfigError, match="the trainer"):
        with_devices(config_with())


def test_without_gpus_nothing_changes(monkeypatch):
    machine(monkeypatch, 0)
    config = config_with(f"{SERVERS}.replicas=3")
    assert with_devices(config) == config


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ((f'{SERVERS}.devices=["0"]',), r"policy\.servers\.devices gives GPU 0 to a server.*the trainer uses it"),
        (("trainer.processes=3", f'{SERVERS}.devices=["2,3"]'), r"gives GPU 2 .*trainer\.processes = 3"),
        ((f'{SERVERS}.replicas=2', f'{SERVERS}.devices=["1", "1"]'), r"gives GPU 1 to two servers"),
        ((f"{SERVERS}.replicas=4",), r"4 servers of 1 GPU need 4 GPUs, and 3 are left.*4,5,6,7.*trainer takes GPU 0"),
        ((f'{SERVERS}.devices=["5"]',), r"names GPU 5, and there are 4 that this run sees \(CUDA_VISIBLE_DEVICES=4,5"),
        (("trainer.processes=4", f"{SERVERS}.arguments=['-tp', '2']"), r"1 server of 2 GPUs.*0 are left.*0, 1, 2, 3"),
        ((ASYNC, f'{SERVERS}.devices=["1"]', f'{EVALUATION}.replicas=1', f'{EVALUATION}.devices=["1"]'),
         r"evaluation_servers\.devices gives GPU 1 .*policy\.servers uses it"),
        ((ASYNC, f'{SERVERS}.devices=["0"]', f"{SERVERS}.sleep=true", f"{EVALUATION}.replicas=1"), r"gives GPU 0"),
        ((ASYNC, f'{SERVERS}.devices=["1"]', "train.flow.evaluation_device=cuda:1"), r"GPU 1 .*evaluation engine"),
    ],
)  # fmt: skip
def test_a_gpu_for_two_is_refused_and_both_are_named(settings, said, monkeypatch):
    machine(monkeypatch, 4, "4,5,6,7")
    with pytest.raises(ConfigError, match=said):
        given(*settings)


def test_sleep_is_offered_only_where_servers_sleep(monkeypatch):
    machine(monkeypatch, 1)
    with pytest.raises(ConfigError, match=r"policy\.servers\.sleep=true"):
        given()
    with pytest.raises(ConfigError) as refused:
        given(ASYNC, "train.flow.evaluation_device=cpu")
    assert "sleep" not in str(refused.value)


def test_it_is_refused_before_there_is_a_run(tmp_path, monkeypatch):
    machine(monkeypatch, 1)
    with pytest.raises(ConfigError, match="the trainer takes GPU 0"):
        anyio.run(train, config_with(), tmp_path / "run", META, NoProgress(), 1)
    assert not (tmp_path / "run").exists()
