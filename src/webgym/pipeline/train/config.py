"""What can be configured about training, besides what every run has."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self, cast

from pydantic import Field, ValidationError, model_validator

from webgym.engine.settings import InFlight
from webgym.errors import ConfigError
from webgym.inference.config import ServersConfig, ServerUrl
from webgym.pipeline.runs.config import Config, Count, LimitsConfig, RolloutConfig, Seconds, TasksConfig
from webgym.pipeline.runs.problems import problems_of
from webgym.train.recipe import GroupSource, Recipe, recipe_named
from webgym.train.settings import TrainerSettings

Control = Literal["none", "shuffled-rewards", "blank-screenshots", "swapped-instructions", "random-weights"]
PARTS = ("source", "loss", "optimizer", "updates")
"""Of a recipe."""
NotNegative = Annotated[int, Field(ge=0)]


def _merged(base: dict[str, Any], changes: dict[str, Any]) -> dict[str, Any]:
    """Changes to one kind of source do not fit another: naming one starts anew."""
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


class EvaluateConfig(Config):
    """Attempts at tasks on websites that are never trained on."""

    every: NotNegative = 5
    """Iterations; 0: never. There is always one before the first and one after the last."""
    later: bool = False
    """Whether they are put off: the weights they are about are kept, and `webgym train --resume RUN
    evaluate.later=false` makes them, on this machine or another."""
    tasks: TasksConfig = TasksConfig()
    limits: LimitsConfig = LimitsConfig()
    temperature: Annotated[float, Field(ge=0)] = 0.0
    """0 takes the likeliest tokens."""


class EvaluationServers(Config):
    """Inference servers of evaluations alone. Everything else about them is as in `policy.servers`."""

    urls: tuple[ServerUrl, ...] = ()
    """Of servers that run already, and that nobody else gives weights to: they get those of each evaluation."""
    replicas: NotNegative = 0
    """How many are started for each evaluation, on this machine, and ended with it."""
    devices: tuple[str, ...] = ()
    """GPUs of each that is started, such as `["3"]`; empty: even parts of what trainer and other servers leave."""
    arguments: tuple[str, ...] = ()
    """More of the command line of those that are started, after `policy.servers.arguments`."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if len(set(self.urls)) < len(self.urls):
            raise ValueError("`urls` names a server twice")
        if self.urls and (self.replicas or self.devices or self.arguments):
            raise ValueError("`replicas`, `devices` and `arguments` are of servers that are started: without `urls`")
        if (self.devices and len(self.devices) != self.replicas) or (self.arguments and not self.replicas):
            raise ValueError(f"{self.replicas} replicas: `devices` has one entry for each, `arguments` needs some")
        return self

    @property
    def given(self) -> bool:
        """Whether there are such servers."""
        return bool(self.urls or self.replicas)

    def like(self, servers: ServersConfig) -> ServersConfig:
        """All about them. They do not sleep: nobody learns where they are."""
        changes = {
            "urls": self.urls,
            "replicas": max(1, self.replicas),
            "devices": self.devices,
            "arguments": (*servers.arguments, *self.arguments),
            "sleep": False,
        }
        return servers.model_copy(update=changes)


class FlowConfig(Config):
    """How rollouts and updates run beside each other. How old a sample may be is `train.source.max_lag`."""

    depth: Annotated[float, Field(ge=1)] | None = None
    """Batches that may be under way, waiting or being learned from. The usual lag follows this, and `max_lag` is left
    for stragglers. None: `max_lag` + 1, as much as that allows."""
    in_flight: InFlight = "keep"
    """What becomes of a reply that is being written when new weights come: `keep` goes on with what the old ones made
    of the prompt, `recompute` reads it again first. Every token says which weights chose it."""
    evaluation_sessions: Annotated[int, Field(ge=0)] = 0
    """Browser sessions of evaluations, besides those of training; 0: a quarter as many."""
    evaluation_device: str = ""
    """Of the engine that evaluates; empty: that of `policy.device`. If servers sample (`policy.server`), an engine
    evaluates only if this is set."""
    evaluation_servers: EvaluationServers = EvaluationServers()
    """Of `policy.server = "vllm"` and `"sglang"`: servers that evaluate, instead of an engine."""
    stuck_seconds: Seconds = 900.0
    """After so long without progress it is said what is stuck."""
    give_up_seconds: Seconds = 4 * 3600.0
    """After so long the run ends, to be resumed."""


class LearnConfig(Config):
    """How it learns: a recipe by name, and what is different here."""

    mode: Literal["sync", "async"] = "sync"
    """`sync`: collect, learn, publish, evaluate, one after the other. `async`: rollouts go on while the trainer learns,
    and evaluations beside both."""
    flow: FlowConfig = FlowConfig()
    """Of `async`."""
    recipe: str = "asyncwebrl-grpo"
    curriculum: Literal["uniform", "adaptive"] = "uniform"
    """Which tasks come next: all alike, or sooner those that are solved now and then, of which most is learned."""
    tried: tuple[str, ...] = ()
    """Of `adaptive`: runs whose attempts at the same tasks tell how hard these are before the first iteration, such as
    one of `webgym eval` with `tasks.repeats=4`."""
    lr: Annotated[float, Field(ge=0)] | None = None
    """None: the recipe's. 0 is a control: everything runs and nothing is learned."""
    source: dict[str, Any] = {}
    loss: dict[str, Any] = {}
    optimizer: dict[str, Any] = {}
    updates: dict[str, Any] = {}
    use: str = "reference"
    """`reference`: the trainer that comes with WebGym. Or `module:function`, which makes a `Trainer`."""
    keep: Count = 2
    """Checkpoints, and published weights; of these also the first, the last evaluated and the best."""

    @model_validator(mode="after")
    def _fits(self) -> LearnConfig:
        try:
            whole = self.whole()
        except ConfigError as error:
            raise ValueError(str(error)) from None
        if self.tried and self.curriculum == "uniform":
            raise ValueError("train.tried tells which tasks come sooner: it needs train.curriculum='adaptive'")
        if self.mode == "async" and not isinstance(whole.source, GroupSource):
            raise ValueError(
                "train.mode = 'async' learns from groups: this recipe replays iterations, which it has none of"
            )
        return self

    def whole(self) -> Recipe:
        """The recipe with its changes.

        Raises:
            ConfigError: There is no such recipe, or a change does not fit it.
        """
        named = recipe_named(self.recipe).model_dump(mode="json")
        for part in PARTS:
            named[part] = _merged(named[part], getattr(self, part))
        if self.lr is not None:
            named["optimizer"]["lr"] = self.lr
        try:
            return Recipe.model_validate(named)
        except ValidationError as error:
            problems = problems_of(error, Recipe, below="train.", more="`webgym train --print-config` shows all")
            raise ConfigError("; ".join(problems)) from None

    def spelled_out(self) -> LearnConfig:
        """The same, with all values of the recipe. `lr` is among the optimizer's: said twice, one would not count."""
        whole = self.whole().model_dump(mode="json", exclude_none=True)
        return self.model_copy(update={"lr": None, **{part: whole[part] for part in PARTS}})


class CurvesConfig(Config):
    """Who is told how learning goes, besides the page and the file."""

    serve: bool = True
    port: Annotated[int, Field(ge=0, le=65535)] = 0
    tensorboard: bool = True
    wandb: str = ""
    """Project; empty: not told."""


class TrainConfig(RolloutConfig):
    """One training run. `tasks`, `limits`, `browser`, `agent`, `judge`, `pool` and `weather` are of its rollouts."""

    COMMAND: ClassVar[str] = "train"

    iterations: Count = 100
    control: Control = "none"
    """Runs in which nothing should be learned, to see that it is not."""
    evaluate: EvaluateConfig = EvaluateConfig()
    train: LearnConfig = LearnConfig()
    trainer: TrainerSettings = TrainerSettings()
    curves: CurvesConfig = CurvesConfig()

    @model_validator(mode="after")
    def _samples(self) -> TrainConfig:
        if not self.policy.temperature:
            raise ValueError("policy.temperature must be above 0: nothing is learned from attempts that are all alike")
        return self

    @model_validator(mode="after")
    def _evaluates(self) -> TrainConfig:
        flow, own = self.train.flow, self.train.flow.evaluation_servers
        if own.given and self.policy.server == "engine":
            raise ValueError("train.flow.evaluation_servers are for policy.server = 'vllm' or 'sglang'")
        if own.given and flow.evaluation_device:
            raise ValueError("train.flow.evaluation_device is of an engine: leave it out beside evaluation_servers")
        if both := set(own.urls) & set(self.policy.servers.urls):
            raise ValueError(
                f"{min(both)} is in policy.servers.urls and in train.flow.evaluation_servers.urls: an evaluation would "
                "give training's server old weights"
            )
        return self

    def spelled_out(self) -> Self:
        """The same run, with all values of its recipe."""
        return self.model_copy(update={"train": self.train.spelled_out()})

    def evaluation(self) -> TrainConfig:
        """The same run, but for the attempts of an evaluation."""
        return self.model_copy(update={"tasks": self.evaluate.tasks, "limits": self.evaluate.limits})
