"""The shipped configurations, by AReaL's own classes; and its defaults, by ours."""

from __future__ import annotations

from pathlib import Path

import pytest
from areal.api.alloc_mode import ModelAllocation
from areal.api.cli_args import PPOConfig, SGLangConfig, vLLMConfig
from areal.utils import pkg_version

from webgym.errors import ConfigError
from webgym_areal import trainer
from webgym_areal.__main__ import main
from webgym_areal.actor import ReferencedActor
from webgym_areal.check import replicas
from webgym_areal.config import settings_of

ROOT = Path(__file__).parents[4]
SHIPPED = sorted((ROOT / "configs" / "areal").glob("*.yaml"))


@pytest.fixture(autouse=True)
def _from_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("path", SHIPPED, ids=lambda path: path.name)
def check_a_shipped_configuration_is_taken_by_areals_own_classes_and_by_us(path: Path):
    config, run = trainer.checked(["--config", str(path)])
    assert isinstance(config, PPOConfig)
    settings = settings_of(config)
    assert settings.server == path.name.partition("-")[0]
    assert settings.source.groups == 16
    assert settings.source.max_lag == 2
    assert settings.tells_oldest
    assert run.limits.easy == 10
    for backend in (config.actor.backend, config.rollout.backend):
        assert ModelAllocation.from_str(backend, name="x").parallel.dp_size == replicas(backend)


def check_servers_can_be_started_as_configured(monkeypatch: pytest.MonkeyPatch):
    # The servers themselves are not here; AReaL asks for their versions to know their options.
    monkeypatch.setattr(pkg_version, "get_version", lambda name: {"sglang": "0.5.10.post1", "vllm": "0.19.1"}[name])
    sglang, _ = trainer.checked(["--config", "configs/areal/sglang-8b.yaml"])
    made = SGLangConfig.build_args(sglang_config=sglang.sglang, tp_size=1, pp_size=1, base_gpu_id=0)
    assert made["model_path"] == sglang.actor.path
    assert made["enable_multimodal"] is True
    assert made["context_length"] == sglang.gconfig.max_tokens
    vllm, _ = trainer.checked(["--config", "configs/areal/vllm-8b.yaml"])
    made = vLLMConfig.build_args(vllm_config=vllm.vllm, tp_size=1, pp_size=1)
    assert made["model"] == vllm.actor.path
    assert made["max_model_len"] == vllm.gconfig.max_tokens


@pytest.mark.parametrize(
    ("override", "told"),
    [
        ("actor.rejection_sampling=null", "rejection_sampling must be set"),
        ("actor.kl_ctl=0.1", "kl_ctl must be 0"),
        ("gconfig.n_samples=8", "n_samples must be 1"),
        ("actor.reward_clip=20.0", "reward_clip"),
        ("rollout.request_timeout=600", "request_timeout"),
        ("actor.mb_spec.max_tokens_per_mb=4096", "max_tokens_per_mb"),
        ("webgym.aggregation=median", "aggregation"),
        ("webgym.run=nowhere.toml", "cannot be read"),
        ("rollout.nonsense=1", "nonsense"),
    ],
)
def check_what_would_train_on_something_else_is_refused(override: str, told: str, capsys: pytest.CaptureFixture[str]):
    assert main(["check", "--config", "configs/areal/sglang-8b.yaml", override]) == 1
    assert told in capsys.readouterr().err


def check_a_good_configuration_is_told_so(capsys: pytest.CaptureFixture[str]):
    assert main(["check", "--config", "configs/areal/sglang-8b.yaml"]) == 0
    assert "16 groups of 8 attempts" in capsys.readouterr().out


def check_workers_can_import_by_name_what_they_are_told_to():
    from areal.utils.dynamic_import import import_from_string

    assert import_from_string(f"{ReferencedActor.__module__}.{ReferencedActor.__name__}") is ReferencedActor
    assert import_from_string(trainer.NAME).__name__ == "GroupWorkflow"


def check_the_single_controller_is_asked_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("AREAL_SPMD_MODE", "1")
    with pytest.raises(ConfigError, match="single controller"):
        trainer.checked(["--config", "configs/areal/sglang-8b.yaml"])
