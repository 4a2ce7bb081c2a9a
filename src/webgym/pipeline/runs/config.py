"""What can be configured about a run. Plain data: importing this is cheap."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self, cast

from pydantic import BaseModel, ConfigDict, Field, model_validator

from webgym.agent.settings import AgentSettings
from webgym.inference.config import ServersConfig
from webgym.judge.settings import JudgeSettings
from webgym.llm.config import ModelConfig
from webgym.pipeline.runs.session import SessionConfig
from webgym.records.task import Level

Count = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(gt=0)]
Share = Annotated[float, Field(ge=0, le=1)]
Range = tuple[Count, Count]


class Config(BaseModel):
    """Frozen; unknown keys are refused, so that a misspelt option cannot be ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _over_defaults(cls, given: Any) -> Any:
        """Whoever sets something of a part leaves the rest of it as it is here, which may not be as it is elsewhere."""
        if not isinstance(given, dict):
            return given
        merged = cast("dict[str, Any]", given).copy()
        for name, field in cls.model_fields.items():
            part, default = merged.get(name), field.default
            if isinstance(part, dict) and isinstance(default, Config):
                merged[name] = {one: getattr(default, one) for one in default.model_fields_set} | part
        return merged


class TasksConfig(Config):
    """Which tasks are attempted, and how often."""

    use: str = "hermetic"
    """`hermetic`: tasks of the sites that ship with the package. `nano`: those of unseen websites that nano, the policy
    that ships with it, is measured on. `nano-practice`: a few of training websites that it solves now and then.
    `file`: one task a line, as JSON. `set`: a task set, such as `webgym:test`. `given`: those of `given`. Or
    `module:function`, which gives tasks."""
    file: str = ""
    """Of `file` and `set`: which."""
    given: tuple[dict[str, Any], ...] = ()
    count: Annotated[int, Field(ge=0)] = 200
    """How many; 0: all there are. Not set: 200 of `hermetic`, which has thousands, and all of any other."""
    seed: int | None = None
    """Of what is drawn; none: the run's own. One for several runs gives them the same tasks, whatever their seeds."""
    repeats: Count = 1
    """Attempts at each task: a group."""
    families: tuple[str, ...] = ()
    """Of hermetic sites; none named: all."""
    split: Literal["train", "validation", "test", "test_structure"] = "test"
    """Of hermetic sites; and of a `set` that has splits, unless `file` names one: `sets/mine:train`, or `sets/mine:all`
    for all its tasks."""
    levels: tuple[Level, ...] = ()
    templates: tuple[str, ...] = ()
    task_ids: tuple[str, ...] = ()
    sites_per_family: Count = 50
    sites_from: Annotated[int, Field(ge=0)] = 0
    """Of each family, sites with a lower number are left out, such as those that the policy was cloned on: what it does
    wrong on others is what it does wrong on unseen ones."""
    sampler: Literal["uniform", "ratio", "balanced", "adaptive"] = "uniform"
    """Of `set`, how tasks are drawn. `uniform`: all alike. `ratio`: levels in the shares of `ratio`. `balanced`: every
    website equally often. `adaptive`: sooner what is solved now and then, as `health` tells."""
    ratio: str = "easy=5,medium=3,hard=2"
    """Of `sampler=ratio`."""
    health: str = ""
    """Of `set`: the file of a book of health, made if there is none; every attempt that ends is written into it. It is
    the one of `webgym tasks health`. Empty: nothing is written down."""
    quarantine: bool = False
    """Whether websites and tasks that `health` has out of the pool are left out when tasks are drawn, and in training
    while they are away. `rollout` and `train` set it; `eval` and evaluations do not, so that a test set stays whole."""
    sealed: bool = False
    """Of `set`: also tasks that are kept encrypted, such as BrowseComp's. The run's folder holds them in the clear."""
    start: str = ""
    """Of `set`: where tasks begin that have no website, such as a search engine. Empty: they are left out."""

    @model_validator(mode="before")
    @classmethod
    def _all_of_those_chosen(cls, data: Any) -> Any:
        if not isinstance(data, dict) or "count" in data:
            return cast("Any", data)
        chosen = cast("dict[str, Any]", data)
        return chosen if chosen.get("use", "hermetic") == "hermetic" else chosen | {"count": 0}


class BrowserConfig(Config):
    """Where the sessions come from."""

    url: str = ""
    """A running fleet's gateway, as `webgym serve` prints it. Empty: a fleet of this run's own, on this machine."""
    authority: str = ""
    """Certificate authority file with which that fleet's certificates are checked; empty: the system's."""
    sites: str = ""
    """Control plane of the hermetic sites that the nodes of that fleet reach, as `webgym sites serve` prints it. The
    token of both is `WEBGYM_TOKEN`, or this user's own."""
    sessions: Count = 16
    """Open at once."""
    nodes: Count = 1
    """Processes that the sessions of an own fleet are spread over, as they would be over machines."""
    headed: bool = False
    """Whether the browsers of an own fleet have windows: for live websites, most of which refuse headless ones. Needs a
    full Chromium, and Xvfb where there is no display."""
    width: Count = 1280
    height: Count = 768
    session: SessionConfig = SessionConfig()

    @model_validator(mode="after")
    def _of_a_fleet(self) -> Self:
        if alone := [name for name in ("authority", "sites") if getattr(self, name) and not self.url]:
            raise ValueError(f"{' and '.join(alone)}: of a fleet that runs already, which browser.url has to name")
        if self.headed and self.url:
            raise ValueError("headed: of an own fleet; start the one of browser.url with `webgym serve --headed`")
        return self


class WeatherConfig(Config):
    """What is made worse about hermetic sites, for every attempt."""

    latency_seconds: Annotated[float, Field(ge=0)] = 0.0
    """Median wait before a page is answered."""
    latency_sigma: Annotated[float, Field(ge=0)] = 0.0
    """Tail of that wait."""
    error_rate: Share = 0.0
    """Of pages."""
    blocked_rate: Share = 0.0
    """Of attempts."""
    shift: bool = False
    """Pages move shortly after they are shown."""


class AgentConfig(AgentSettings):
    """Who acts."""

    use: str = "vlm"
    """`vlm`: asks the model of `policy`. `oracle`, `random`, `noop`: know the answer, nothing, and nothing.
    `spoken-oracle`: an oracle that writes like a model, with prompts and dialect. Or `module:function`, which makes an
    `Agent` for a `Place`."""
    policy: str = "auto"
    """Of a `vlm`: `served` by what `model` names, an `engine` of the run's own for what `policy.model` names, or
    `module:function`, which makes a `Policy`. `auto`: an engine if `policy.model` is set."""


class PolicyConfig(Config):
    """A policy whose weights are at hand: sampled from by an engine of the run's own, or by servers."""

    model: str = ""
    """A folder, or a name on the hub; `nano`: the policy that ships with the package, with the settings it needs."""
    temperature: Annotated[float, Field(ge=0)] = 1.0
    """0 takes the likeliest tokens."""
    max_tokens: Count = 512
    """Of a reply."""
    device: str = "auto"
    dtype: Literal["auto", "float32", "bfloat16"] = "auto"
    slots: Count = 16
    """Replies that are written at once."""
    length: Count = 12288
    """Tokens of a prompt and its reply: a page of 1280 by 768 pixels is 960 of Qwen3-VL's, and the agent shows five. On
    a GPU the engine takes memory for as many in each slot."""
    threads: Annotated[int, Field(ge=0)] = 0
    graphs: bool = False
    """On a GPU: replay recorded steps, which pays for small models."""
    reply_seconds: Seconds = 600.0
    """Of the engine: for a reply, waiting for a slot and restarts included. Servers have `servers.timeouts`."""
    load_seconds: Seconds = 900.0
    """Of the engine: to load the model, at the start and whenever it gets new weights. Servers have
    `servers.start_seconds` and `servers.refresh_seconds`."""
    server: Literal["engine", "vllm", "sglang"] = "engine"
    """Who samples: an engine of the run's own, or inference servers."""
    servers: ServersConfig = ServersConfig()
    """Of `vllm` and `sglang`: started for the run, or attached to."""


class JudgeConfig(JudgeSettings):
    """Who says whether it succeeded. All but `use` is about the rubric judge."""

    use: str = "exact"
    """`exact`: the hermetic site itself. `rubric`: the vision-language model of `judge.model`, fact by fact. `both`:
    the site's word counts, and the model's is kept beside it. `none`: nobody; attempts end without a verdict. Or
    `module:function`, which makes a `Judge`."""


class LimitsConfig(Config):
    """How far an attempt may go. Steps: 10/20/30 are the published ones for training, 30/50/70 for test."""

    easy: Count = 30
    medium: Count = 50
    hard: Count = 70
    tokens: Annotated[int, Field(ge=0)] = 0
    seconds: Annotated[float, Field(ge=0)] = 0.0
    malformed: Annotated[int, Field(ge=0)] = 5
    repeats: Annotated[int, Field(ge=0)] = 0
    wall_seconds: Seconds = 3600.0


class GatesConfig(Config):
    """How many of each operation run at once: at the start, and at most. Between them the limits follow latency."""

    open: Range = (16, 256)
    navigate: Range = (64, 512)
    act: Range = (128, 1024)
    observe: Range = (64, 512)
    infer: Range = (256, 2048)
    judge: Range = (32, 256)
    close: Range = (64, 512)


class PoolConfig(Config):
    """How attempts are run."""

    tries: Count = 3
    """Of an attempt that is lost to infrastructure."""
    threshold: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share of attempts after which the rest gets the grace period and is then cancelled, which is no failure: of a
    `rollout`, and of each iteration of synchronous training. Evaluations make all their attempts, and asynchronous
    training waits for none."""
    grace_seconds: Seconds = 30.0
    gates: GatesConfig = GatesConfig()


class MonitorConfig(Config):
    """The live page."""

    serve: bool = True
    port: Annotated[int, Field(ge=0, le=65535)] = 0
    """0: any free one."""
    token_env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    """Name of the environment variable that holds the page's token, so that it outlives runs, such as for Prometheus;
    empty: a new one for each run."""


class StoreConfig(Config):
    """Where trajectories go."""

    root: str = "runs"
    image_budget_bytes: Count = 20 * 2**30


class RunConfig(Config):
    """One run."""

    COMMAND: ClassVar[str] = "eval"
    """That prints all settings."""

    name: str = ""
    """Of its folder; empty: made up from kind and time."""
    seed: int = 0
    tasks: TasksConfig = TasksConfig()
    browser: BrowserConfig = BrowserConfig()
    agent: AgentConfig = AgentConfig()
    model: ModelConfig | None = None
    policy: PolicyConfig = PolicyConfig()
    judge: JudgeConfig = JudgeConfig()
    limits: LimitsConfig = LimitsConfig()
    pool: PoolConfig = PoolConfig()
    weather: WeatherConfig = WeatherConfig()
    monitor: MonitorConfig = MonitorConfig()
    store: StoreConfig = StoreConfig()

    def spelled_out(self) -> Self:
        """The same run, with every value said that a name stands for."""
        return self


class RolloutConfig(RunConfig):
    """One run for training, or to look at: on training sites, with the published horizons of training."""

    COMMAND: ClassVar[str] = "rollout"

    tasks: TasksConfig = TasksConfig(split="train", quarantine=True)
    limits: LimitsConfig = LimitsConfig(easy=10, medium=20, hard=30)
