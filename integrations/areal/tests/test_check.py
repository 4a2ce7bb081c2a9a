"""Settings that AReaL takes and that train on something else are refused, each by its name."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from webgym.errors import ConfigError
from webgym.run.config import BrowserConfig, LimitsConfig, RunConfig
from webgym_areal import __main__ as command
from webgym_areal.check import check_areal, replicas
from webgym_areal.package import VERSION, check_version

RUN = RunConfig(limits=LimitsConfig(wall_seconds=2700.0), browser=BrowserConfig(sessions=64))


def good() -> Any:
    return SimpleNamespace(
        critic=None,
        dynamic_bs=False,
        gconfig=SimpleNamespace(
            n_samples=1,
            greedy=False,
            top_p=1.0,
            top_k=100_000_000,
            frequency_penalty=0.0,
            temperature=1.0,
            max_tokens=99,
        ),
        rollout=SimpleNamespace(
            backend="sglang:d4",
            consumer_batch_size=16,
            max_concurrent_rollouts=32,
            max_head_offpolicyness=2,
            request_timeout=3600,
            check_trajectory_format=False,
        ),
        actor=SimpleNamespace(
            backend="fsdp:d4",
            reward_norm=None,
            adv_norm=None,
            kl_ctl=0.0,
            reward_scaling=1.0,
            reward_bias=0.0,
            reward_clip=1e6,
            overlong_reward_penalty=False,
            mask_no_eos_with_zero=False,
            discount=1.0,
            gae_lambda=1.0,
            use_decoupled_loss=True,
            rejection_sampling=object(),
            prox_logp_method="recompute",
            recompute_logprob=True,
            temperature=1.0,
            mb_spec=SimpleNamespace(granularity=1, max_tokens_per_mb=99),
        ),
        train_dataset=SimpleNamespace(batch_size=16),
        webgym=SimpleNamespace(members=8, pictures="reference"),
    )


def with_(path: str, value: object) -> Any:
    whole = good()
    at = whole
    *parents, name = path.split(".")
    for parent in parents:
        at = getattr(at, parent)
    setattr(at, name, value)
    return whole


def test_a_good_configuration_passes():
    check_areal(good(), RUN)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("gconfig.n_samples", 8),
        ("actor.reward_norm", object()),
        ("actor.adv_norm", object()),
        ("actor.kl_ctl", 0.1),
        ("actor.reward_scaling", 10.0),
        ("actor.reward_bias", -0.5),
        ("actor.reward_clip", 20.0),
        ("actor.overlong_reward_penalty", True),
        ("actor.mask_no_eos_with_zero", True),
        ("actor.discount", 0.99),
        ("actor.gae_lambda", 0.95),
        ("critic", object()),
        ("dynamic_bs", True),
        ("actor.use_decoupled_loss", False),
        ("actor.rejection_sampling", None),
        ("actor.recompute_logprob", False),
        ("actor.mb_spec.granularity", 8),
        ("actor.mb_spec.max_tokens_per_mb", 98),
        ("gconfig.temperature", 0.7),
        ("actor.temperature", 0.7),
        ("gconfig.greedy", True),
        ("gconfig.top_p", 0.99),
        ("gconfig.top_k", 2),
        ("rollout.max_head_offpolicyness", 0),
        ("rollout.request_timeout", 2700),
        ("rollout.consumer_batch_size", 128),
        ("rollout.max_concurrent_rollouts", 33),
        ("rollout.check_trajectory_format", True),
        ("rollout.backend", "other:d4"),
        ("actor.backend", "megatron:d4"),
        ("actor._version", "v2"),
        ("train_dataset.batch_size", 18),
    ],
)
def test_a_setting_that_trains_on_something_else_is_named(path, value):
    name = path.rpartition(".")[2]
    with pytest.raises(ConfigError) as error:
        check_areal(with_(path, value), RUN)
    told = str(error.value)
    assert (name in told) or (path.startswith("gconfig") and "gconfig must sample" in told)


def test_everything_wrong_is_told_at_once():
    config = with_("actor.kl_ctl", 0.1)
    config.gconfig.n_samples = 8
    with pytest.raises(ConfigError) as error:
        check_areal(config, RUN)
    assert "kl_ctl" in str(error.value)
    assert "n_samples" in str(error.value)


@pytest.mark.parametrize(("backend", "count"), [("fsdp:d4", 4), ("sglang:d12t2", 12), ("vllm:t2", 1), ("sglang", 1)])
def test_copies_of_a_model_are_read_off_its_allocation(backend, count):
    assert replicas(backend) == count


def test_without_areal_the_message_says_what_to_install(monkeypatch, capsys):
    import importlib.metadata

    def missing(_name: str) -> str:
        raise importlib.metadata.PackageNotFoundError

    monkeypatch.setattr(importlib.metadata, "version", missing)
    with pytest.raises(ConfigError, match=f"install areal=={VERSION}"):
        check_version()
    assert command.main(["check", "--config", "nowhere.yaml"]) == 1
    assert f"areal=={VERSION}" in capsys.readouterr().err


def test_another_version_is_refused(monkeypatch):
    import importlib.metadata

    monkeypatch.setattr(importlib.metadata, "version", lambda _name: "2.0.0")
    with pytest.raises(ConfigError, match=r"AReaL 2\.0\.0 is installed"):
        check_version()


def test_without_a_command_there_is_help(capsys):
    assert command.main([]) == 2
    assert command.main(["--help"]) == 0
    assert "usage: python -m webgym_areal train" in capsys.readouterr().err
