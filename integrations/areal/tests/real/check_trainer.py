"""What is put into AReaL's trainer: our actor, our feeder, our workflow. Its loop runs here, its workers do not."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import MagicMock

import pytest
from areal.api.alloc_mode import ModelAllocation
from areal.trainer.ppo.actor import PPOActorController
from areal.trainer.rl_trainer import PPOTrainer

from webgym.errors import ConfigError
from webgym_areal import trainer
from webgym_areal.actor import ReferencedActor
from webgym_areal.config import settings_of
from webgym_areal.trainer import WebgymTrainer

ROOT = Path(__file__).parents[4]
BATCH: list[dict[str, Any]] = [{"rows": 1}, {"rows": 2}]


class Loader(list[list[dict[str, Any]]]):
    batch_size = 2


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.chdir(ROOT)
    found, _ = trainer.checked(["--config", "configs/areal/sglang-8b.yaml", "total_train_steps=2"])
    return found


def without_workers(monkeypatch: pytest.MonkeyPatch, config: Any) -> WebgymTrainer:
    """A trainer whose engines are stand-ins: everything that `PPOTrainer.__init__` would have started."""

    def start(self: Any, config: Any, train_dataset: Any) -> None:
        names = (
            "actor",
            "rollout",
            "saver",
            "evaluator",
            "recover_handler",
            "stats_logger",
            "weight_update_meta",
            "tokenizer",
        )
        for name in names:
            setattr(self, name, MagicMock(name=name))
        for name in (
            "critic",
            "ref",
            "teacher",
            "eval_rollout",
            "processor",
            "recover_info",
            "data_controller",
            "valid_dataloader",
        ):
            setattr(self, name, None)
        for name in ("rollout", "actor", "critic", "ref", "teacher"):
            setattr(self, f"_should_offload_{name}", False)
        self.config, self.train_dataloader = config, Loader(train_dataset)
        self._proxy_started = False

    monkeypatch.setattr(PPOTrainer, "__init__", start)
    made = WebgymTrainer(config, [[{"task": 1}, {"task": 2}]] * 3)
    made.feeder = MagicMock(name="feeder")
    made.feeder.batch.return_value = BATCH
    return made


def check_areals_own_loop_takes_its_batches_from_the_feeder_and_trains_on_them(monkeypatch, config):
    made = without_workers(monkeypatch, config)
    kwargs = {"settings": settings_of(config).model_dump(mode="json")}
    made.train(workflow=trainer.NAME, workflow_kwargs=kwargs)
    asked = made.feeder.batch.call_args_list
    assert len(asked) == 2
    assert asked[0].args == (made.train_dataloader, 2, trainer.NAME, kwargs)
    assert [call.args[0] for call in made.actor.compute_advantages.call_args_list] == [BATCH, BATCH]
    assert [call.args[0] for call in made.rollout.set_version.call_args_list] == [1, 2]
    made.close()
    made.feeder.close.assert_called_once()


def check_logprobs_of_the_weights_that_learn_are_computed_before_each_update(monkeypatch, config):
    made = without_workers(monkeypatch, config)
    made.train(workflow=trainer.NAME, workflow_kwargs={"settings": settings_of(config).model_dump(mode="json")})
    names = [call[0] for call in made.actor.method_calls]
    assert names.index("compute_logp") < names.index("compute_advantages") < names.index("ppo_update")


def check_workers_are_told_to_make_our_actor(monkeypatch, config):
    monkeypatch.setattr(PPOTrainer, "__init__", lambda self: None)
    bare = WebgymTrainer.__new__(WebgymTrainer)
    bare.scheduler = MagicMock()
    made = bare._create_train_engine(config.actor, ModelAllocation.from_str("fsdp:d4", name="actor"))
    assert isinstance(made, PPOActorController)
    assert made.train_engine is ReferencedActor
    with pytest.raises(ConfigError, match="need fsdp"):
        bare._create_train_engine(config.actor, SimpleNamespace(backend="megatron"))
