"""Settings of training runs, on top of those that every run has."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self, cast

from pydantic import Field, ValidationError, model_validator

from webgym.algorithms.settings import left_of, spelled
from webgym.engine.settings import InFlight
from webgym.errors import ConfigError
from webgym.inference.config import ServersConfig, ServerUrl
from webgym.rollout.limits import TEST, Limits
from webgym.run.config import (
    Count,
    FaultsConfig,
    RolloutConfig,
    RunSettings,
    Seconds,
    TasksConfig,
)
from webgym.run.problems import problems_of
from webgym.train.recipe import GroupSource, Recipe, recipe_named
from webgym.train.settings import TrainerSettings

Control = Literal["none", "shuffled-rewards", "blank-screenshots", "swapped-instructions", "random-weights"]
PARTS = ("source", "loss", "optimizer", "updates")
"""Sections of a recipe that `train` can override."""
NotNegative = Annotated[int, Field(ge=0)]


def _merged(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Merge `changes` into `base`; changing `use` replaces the section, as kinds of source have different settings."""
    if "use" in changes and changes["use"] != base.get("use", changes["use"]):
        return changes
    merged = dict(base)
    for key, value in changes.items():
        inner = merged.get(key)
        if isinstance(inner, dict) and isinstance(value, dict):
            merged[key] = _merged(cast("dict[str, Any]", inner), cast("dict[str, Any]", value))
        else:
            merged[key] = value
    return merged


class EvaluateConfig(RunSettings):
    """Evaluations on websites that are never trained on."""

    every: NotNegative = 5
    """Iterations between evaluations; 0: only the first, before training, and the last, which always take place."""
    later: bool = False
    """Defer evaluations: the weights they need are kept, and `webgym train --resume RUN evaluate.later=false` runs
    them, on this machine or another."""
    tasks: TasksConfig = TasksConfig()
    limits: Limits = TEST
    faults: FaultsConfig = FaultsConfig()
    """Faults injected during evaluations; by default none, whatever training has."""
    temperature: Annotated[float, Field(ge=0)] = 0.0
    """Sampling temperature; 0 is greedy."""


class EvaluationServers(RunSettings):
    """Inference servers used only for evaluations. All other settings are those of `policy.servers`."""

    urls: tuple[ServerUrl, ...] = ()
    """Running servers that nothing else uses: each evaluation loads its weights into them."""
    replicas: NotNegative = 0
    """Servers started on this machine for each evaluation, and stopped after it."""
    devices: tuple[str, ...] = ()
    """GPUs of each started server, such as `["3"]`; empty: an even split of the GPUs that nothing else uses."""
    arguments: tuple[str, ...] = ()
    """Command-line arguments of started servers, appended to `policy.servers.arguments`."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if len(set(self.urls)) < len(self.urls):
            raise ValueError("`urls` lists a server twice")
        if self.urls and (self.replicas or self.devices or self.arguments):
            raise ValueError("`replicas`, `devices` and `arguments` are for started servers: remove them or `urls`")
        if (self.devices and len(self.devices) != self.replicas) or (self.arguments and not self.replicas):
            raise ValueError(
                f"{self.replicas} replicas: `devices` needs one entry each, `arguments` at least one replica"
            )
        return self

    @property
    def given(self) -> bool:
        """Whether evaluations have servers of their own."""
        return bool(self.urls or self.replicas)

    def like(self, servers: ServersConfig) -> ServersConfig:
        """Return `servers` with these settings applied, and without sleep, as no trainer shares their GPUs."""
        changes = {
            "urls": self.urls,
            "replicas": max(1, self.replicas),
            "devices": self.devices,
            "arguments": (*servers.arguments, *self.arguments),
            "sleep": False,
        }
        return servers.model_copy(update=changes)


class FlowConfig(RunSettings):
    """How rollouts and updates overlap in `async` mode. The staleness bound is `train.source.max_lag`."""

    depth: Annotated[float, Field(ge=1)] | None = None
    """Batches in the pipeline at most: rolling out, waiting, or being trained on. It sets the typical lag, so that
    `max_lag` only catches stragglers. None: `max_lag` + 1, the most that the bound allows."""
    in_flight: InFlight = "keep"
    """What happens to replies in progress on a weight update: `keep` continues with the KV cache of the old weights,
    `recompute` rebuilds it with the new ones first. Every token records its policy version either way."""
    evaluation_sessions: Annotated[int, Field(ge=0)] = 0
    """Browser sessions for evaluations, in addition to those of training; 0: a quarter of `browser.sessions`."""
    evaluation_device: str = ""
    """Device of the evaluation engine; empty: `policy.device`. If rollouts use servers (`policy.server`), evaluations
    use an engine only if this is set."""
    evaluation_servers: EvaluationServers = EvaluationServers()
    """With `policy.server = "vllm"` or `"sglang"`: servers for evaluations, instead of an engine."""
    stuck_seconds: Seconds = 900.0
    """Seconds without progress after which a warning says what is stuck."""
    give_up_seconds: Seconds = 4 * 3600.0
    """Seconds without progress after which the run stops with an error; it can be resumed."""


class LearnConfig(RunSettings):
    """The training algorithm: a named recipe, and overrides of it."""

    mode: Literal["sync", "async"] = "sync"
    """`sync`: collect, update, publish, evaluate, in turn. `async`: rollouts continue during updates, and evaluations
    run concurrently with both."""
    flow: FlowConfig = FlowConfig()
    """Settings of `async` mode."""
    recipe: str = "asyncwebrl-grpo"
    curriculum: Literal["uniform", "adaptive"] = "uniform"
    """How tasks are sampled: `uniform`, or `adaptive`, which prefers tasks that are solved only sometimes."""
    tried: tuple[str, ...] = ()
    """For `adaptive`: earlier runs on the same tasks that give initial success rates, such as a `webgym eval` with
    `tasks.repeats=4`."""
    sharpness: Annotated[float, Field(ge=0)] = 1.0
    """For `adaptive`: exponent on the sampling weights of tasks; above 1, those near half successes come more often."""
    half_life: NotNegative = 0
    """For `adaptive`: attempts, at any tasks, after which an earlier one counts half in its task's success rate; 0:
    all count alike, however much the policy has learned since."""
    lr: Annotated[float, Field(ge=0)] | None = None
    """Learning rate; None: the recipe's. 0 is a control: everything runs, and the weights do not change."""
    source: dict[str, Any] = {}
    loss: dict[str, Any] = {}
    optimizer: dict[str, Any] = {}
    updates: dict[str, Any] = {}
    use: str = "reference"
    """`reference`: WebGym's own trainer. Or `module:function`, which returns a `Trainer`."""
    keep: Count = 2
    """Newest checkpoints and published weights to keep. The first, the last evaluated and the best weights are always
    kept."""

    @model_validator(mode="after")
    def _fits(self) -> LearnConfig:
        try:
            whole = self.whole()
        except ConfigError as error:
            raise ValueError(str(error)) from None
        if self.tried and self.curriculum == "uniform":
            raise ValueError("train.tried only affects the adaptive curriculum: set train.curriculum='adaptive'")
        if self.half_life and self.curriculum == "uniform":
            raise ValueError("train.half_life only affects the adaptive curriculum: set train.curriculum='adaptive'")
        if self.mode == "sync" and isinstance(whole.source, GroupSource) and whole.source.probe:
            raise ValueError(
                "train.source.probe needs train.mode = 'async': a synchronous iteration begins whole groups"
            )
        if self.mode == "async" and not isinstance(whole.source, GroupSource):
            raise ValueError("train.mode = 'async' needs a recipe that learns from groups; this one replays iterations")
        return self

    def whole(self) -> Recipe:
        """Return the recipe with all overrides applied.

        Raises:
            ConfigError: There is no such recipe, or an override does not fit it.
        """
        named = recipe_named(self.recipe).model_dump(mode="json")
        try:
            loss = spelled(self.loss)
        except ValueError as error:
            raise ConfigError(f"train.loss: {error}") from None
        named["loss"] = left_of(named["loss"], loss)
        for part, changes in {**{part: getattr(self, part) for part in PARTS}, "loss": loss}.items():
            named[part] = _merged(named[part], changes)
        if self.lr is not None:
            named["optimizer"]["lr"] = self.lr
        try:
            return Recipe.model_validate(named)
        except ValidationError as error:
            problems = problems_of(error, Recipe, below="train.", more="`webgym train --print-config` shows all")
            raise ConfigError("; ".join(problems)) from None

    def spelled_out(self) -> LearnConfig:
        """Return a copy with every value of the recipe explicit. `lr` is cleared, as it is then in `optimizer`."""
        whole = self.whole().model_dump(mode="json", exclude_none=True)
        return self.model_copy(update={"lr": None, **{part: whole[part] for part in PARTS}})


class CurvesConfig(RunSettings):
    """Where learning curves are published, besides `curve.jsonl` and the report."""

    serve: bool = True
    """Whether to serve a live page of the curves."""
    port: Annotated[int, Field(ge=0, le=65535)] = 0
    """Port of that page; 0: any free one."""
    tensorboard: bool = True
    wandb: str = ""
    """Weights & Biases project; empty: off."""


class TrainConfig(RolloutConfig):
    """One training run. `tasks`, `limits`, `browser`, `agent`, `judge`, `pool` and `faults` configure its rollouts."""

    COMMAND: ClassVar[str] = "train"

    iterations: Count = 100
    minutes: Annotated[float, Field(ge=0)] = 0.0
    """Minutes of training after which the run ends with the iteration it is in, if not all are made by then; 0: no
    limit."""
    control: Control = "none"
    """Control experiment in which the policy should learn nothing, to verify that it does not; `none`: a normal run."""
    evaluate: EvaluateConfig = EvaluateConfig()
    train: LearnConfig = LearnConfig()
    trainer: TrainerSettings = TrainerSettings()
    curves: CurvesConfig = CurvesConfig()

    @model_validator(mode="after")
    def _samples(self) -> TrainConfig:
        if not self.policy.temperature:
            raise ValueError("policy.temperature must be above 0: identical attempts give no learning signal")
        return self

    @model_validator(mode="after")
    def _evaluates(self) -> TrainConfig:
        flow, own = self.train.flow, self.train.flow.evaluation_servers
        if own.given and self.policy.server == "engine":
            raise ValueError("train.flow.evaluation_servers needs policy.server = 'vllm' or 'sglang'")
        if own.given and flow.evaluation_device:
            raise ValueError("train.flow.evaluation_device is for an engine: remove it if evaluation_servers is set")
        if both := set(own.urls) & set(self.policy.servers.urls):
            raise ValueError(
                f"{min(both)} is in policy.servers.urls and in train.flow.evaluation_servers.urls: an evaluation would "
                "load old weights into the training server"
            )
        return self

    def spelled_out(self) -> Self:
        """Return a copy with every value of the recipe explicit."""
        return self.model_copy(update={"train": self.train.spelled_out()})

    def evaluation(self) -> TrainConfig:
        """Return a copy with the tasks, limits and faults of evaluations, and without branches."""
        own, agent = self.evaluate, self.agent.model_copy(update={"branches": 0})
        return self.model_copy(update={"agent": agent, "tasks": own.tasks, "limits": own.limits, "faults": own.faults})
