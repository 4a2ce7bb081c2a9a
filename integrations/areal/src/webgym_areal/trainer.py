"""AReaL's trainer with our workflow, feeder and actor. Needs AReaL."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from pathlib import Path
from typing import Any

from webgym.errors import ConfigError
from webgym.run.config import RunConfig
from webgym.run.load import load_config
from webgym.run.tasks import tasks_for
from webgym_areal.actor import ReferencedActor
from webgym_areal.check import check_areal
from webgym_areal.config import load_areal, settings_of
from webgym_areal.feeder import Feeder
from webgym_areal.package import areal
from webgym_areal.workflow import NAME, items

_PPOTrainer: Any = areal("trainer.rl_trainer").PPOTrainer


class WebgymTrainer(_PPOTrainer):
    """A single-controller `PPOTrainer`."""

    def __init__(self, config: Any, train_dataset: Any) -> None:
        super().__init__(config, train_dataset)
        self.feeder = Feeder(
            self.rollout,
            self.rollout.staleness_manager,
            max_lag=config.rollout.max_head_offpolicyness,
            refill=config.webgym.refill,
            patience=config.webgym.patience_seconds,
            dropped=self.actor.clear_batches,
        )
        self.actor.prepare_batch = self._fed

    def _fed(self, dataloader: Any, workflow: Any, workflow_kwargs: Any = None, **_others: Any) -> list[dict[str, Any]]:
        """Return a batch; replaces AReaL's `prepare_batch`."""
        return self.feeder.batch(dataloader, dataloader.batch_size, workflow, workflow_kwargs)

    def _create_train_engine(self, actor_config: Any, alloc: Any) -> Any:
        """Create an actor that resolves references. AReaL's workers import it by name."""
        if alloc.backend != "fsdp":
            raise ConfigError(f"pictures by reference need fsdp, not {alloc.backend}")
        actor = ReferencedActor.as_controller(actor_config, self.scheduler)
        actor.create_process_group(parallel_strategy=alloc.parallel)
        return actor

    def close(self) -> None:
        """Stop the feeder, then everything else."""
        if hasattr(self, "feeder"):
            self.feeder.close()
        super().close()


def checked(arguments: list[str]) -> tuple[Any, RunConfig]:
    """Return the configuration from `--config file.yaml` and overrides, and the run configuration that it names.

    Raises:
        ConfigError: It cannot be used; the message names everything that has to change.
    """
    config = load_areal(arguments)
    settings = settings_of(config)
    run = load_config(Path(settings.run) if settings.run else None, settings.overrides)
    check_areal(config, run)
    if not areal("utils.environ").is_single_controller():
        raise ConfigError("AREAL_SPMD_MODE is set: this runs under AReaL's single controller only")
    return config, run


def train(arguments: list[str]) -> None:
    """Train until AReaL's configuration ends the run."""
    config, run = checked(arguments)
    for folder in (config.cluster.fileroot, config.cluster.name_resolve.nfs_record_root):
        # AReaL requires these folders to exist.
        Path(folder).mkdir(parents=True, exist_ok=True)
    areal("utils.name_resolve").reconfigure(config.cluster.name_resolve)
    tasks = tasks_for(run.tasks, run.seed)
    with WebgymTrainer(config, items(tasks)) as trainer:
        trainer.train(workflow=NAME, workflow_kwargs={"settings": settings_of(config).model_dump(mode="json")})
