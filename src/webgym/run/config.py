"""Settings of rollout and evaluation runs. Cheap to import."""

from __future__ import annotations

from typing import Annotated, Any, ClassVar, Literal, Self, cast

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, model_validator

from webgym.agent.settings import AgentSettings
from webgym.browser.config import EgressConfig
from webgym.browser.server.proxy.policy import parse_policy
from webgym.errors import ConfigError
from webgym.inference.config import ServersConfig
from webgym.judge.settings import JudgeSettings
from webgym.llm.config import ModelConfig
from webgym.records.task import Level
from webgym.rollout.gates import GateLimits
from webgym.rollout.limits import TEST, TRAIN, Limits
from webgym.run.session import SessionConfig

Count = Annotated[int, Field(ge=1)]
Seconds = Annotated[float, Field(gt=0)]
Share = Annotated[float, Field(ge=0, le=1)]


class RunSettings(BaseModel):
    """Base of all settings: frozen, and unknown keys are errors, so that a misspelt setting is not ignored."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    @model_validator(mode="before")
    @classmethod
    def _over_defaults(cls, given: Any) -> Any:
        """Merge a partial section into this class's default of it, which may differ from the section's own defaults."""
        if not isinstance(given, dict):
            return given
        merged = cast("dict[str, Any]", given).copy()
        for name, field in cls.model_fields.items():
            part, default = merged.get(name), field.default
            if isinstance(part, dict) and isinstance(default, BaseModel):
                merged[name] = {one: getattr(default, one) for one in default.model_fields_set} | part
        return merged


class TasksConfig(RunSettings):
    """Which tasks to attempt, and how often."""

    use: str = "env"
    """`env`: the environment's own tasks, such as those of the hermetic sites. `nano`: the test suite of nano, the
    policy that ships with the package, on unseen websites. `nano-practice`: a few tasks on training websites that nano
    solves sometimes. `file`: one JSON task per line. `set`: a task set, such as `webgym:test`. `given`: the tasks in
    `given`. Or `module:function`, which returns tasks."""
    file: str = ""
    """For `file`: its path. For `set`: the name or path of the task set."""
    given: tuple[dict[str, Any], ...] = ()
    """For `given`: the tasks themselves."""
    count: Annotated[int, Field(ge=0)] = 200
    """Number of tasks; 0: all. If not set: 200 for `env`, which may have thousands, and all otherwise."""
    seed: int | None = None
    """Seed of the task sample; None: the run's seed. Set it to give runs with different seeds the same tasks."""
    repeats: Count = 1
    """Attempts per task, which form a group."""
    families: tuple[str, ...] = ()
    """Families of hermetic sites, or what another environment calls so; empty: all."""
    split: str = "test"
    """Split of the environment's tasks: of the hermetic sites `train`, `validation`, `test` or `test_structure`. Also
    of a `set` that has splits, unless `file` names one: `sets/mine:train`, or `sets/mine:all` for all its tasks."""
    levels: tuple[Level, ...] = ()
    """Only tasks of these levels; empty: all. Likewise `templates` and `task_ids`."""
    templates: tuple[str, ...] = ()
    task_ids: tuple[str, ...] = ()
    sites_per_family: Count = 50
    """Hermetic sites per family."""
    sites_from: Annotated[int, Field(ge=0)] = 0
    """Skip sites of each family with a lower number, such as those used for behaviour cloning: the policy's errors on
    the others are representative of unseen sites."""
    sampler: Literal["uniform", "ratio", "balanced", "adaptive"] = "uniform"
    """For `set`: how tasks are sampled. `uniform`: all with equal probability. `ratio`: levels in the proportions of
    `ratio`. `balanced`: every website equally often. `adaptive`: prefer those sometimes solved, by `health`."""
    ratio: str = "easy=5,medium=3,hard=2"
    """Proportions of the levels, for `sampler=ratio`."""
    health: str = ""
    """For `set`: file of the health database that every finished attempt is recorded in; created if missing. `webgym
    tasks health` shows it. Empty: nothing is recorded."""
    quarantine: bool = False
    """Skip websites and tasks that are quarantined in `health`, when tasks are sampled and during training. On by
    default for `rollout` and `train`; off for `eval` and evaluations, so that a test set stays complete."""
    sealed: bool = False
    """For `set`: include tasks stored encrypted, such as BrowseComp's. The run's folder has them decrypted."""
    start: str = ""
    """For `set`: start URL of tasks without a website, such as a search engine. Empty: these tasks are skipped."""

    @model_validator(mode="before")
    @classmethod
    def _all_of_those_chosen(cls, data: Any) -> Any:
        if not isinstance(data, dict):
            return data
        chosen = cast("dict[str, Any]", data)
        if chosen.get("use") == "hermetic":  # as `env` was called when there was one environment
            chosen = chosen | {"use": "env"}
        return chosen if "count" in chosen or chosen.get("use", "env") == "env" else chosen | {"count": 0}


def _listed(given: Any) -> Any:
    """Take a single text for a list of one, as on a command line."""
    return (given,) if isinstance(given, str) and given else given


def _destinations(allow: tuple[str, ...]) -> tuple[str, ...]:
    try:
        parse_policy(EgressConfig(allow=allow))
    except ConfigError as error:
        raise ValueError(str(error).removeprefix("egress.allow: ")) from None
    return allow


class EnvironmentConfig(RunSettings):
    """The environment: where attempts take place, and what judges them exactly. `env="NAME"` is short for `env.use`."""

    use: str = "hermetic"
    """`hermetic`: the sites that ship with the package; tasks elsewhere take place on live websites. `live`: live
    websites only. Another one that is installed, as `webgym env list` shows. Or `module:Name` of one's own."""
    options: dict[str, Any] = {}
    """Options of that environment, as `webgym env show NAME` lists them."""


class BrowserConfig(RunSettings):
    """The browser fleet and its sessions."""

    url: str = ""
    """Gateway of a running fleet, as printed by `webgym serve`. Empty: start a fleet on this machine for the run."""
    authority: str = ""
    """CA file that verifies the certificates of that fleet; empty: the system's."""
    sites: str = ""
    """Control plane of the hermetic sites that the nodes of that fleet reach, as printed by `webgym sites serve`. Both
    use the token in `WEBGYM_TOKEN`, or this user's default token."""
    sessions: Count = 16
    """Concurrent browser sessions."""
    nodes: Count = 1
    """Node processes that the run's own fleet spreads its sessions over."""
    headed: bool = False
    """Run the browsers of the run's own fleet with windows: many live websites block headless browsers. Needs a full
    Chromium, and Xvfb where there is no display."""
    allow: Annotated[tuple[str, ...], BeforeValidator(_listed), AfterValidator(_destinations)] = ()
    """Private or loopback destinations that sessions of the run's own fleet may reach, each as an exact `host:port`;
    otherwise they reach public addresses only. As `--allow` of `webgym serve`."""
    width: Count = 1280
    """Viewport size in pixels."""
    height: Count = 768
    session: SessionConfig = SessionConfig()

    @model_validator(mode="after")
    def _of_a_fleet(self) -> Self:
        if alone := [name for name in ("authority", "sites") if getattr(self, name) and not self.url]:
            raise ValueError(f"{' and '.join(alone)}: only for an existing fleet, so set browser.url too")
        if self.headed and self.url:
            raise ValueError("headed: not with browser.url; start that fleet with `webgym serve --headed`")
        if self.allow and self.url:
            raise ValueError("allow: not with browser.url; start that fleet with `webgym serve --allow HOST:PORT`")
        return self


class FaultsConfig(RunSettings):
    """Faults injected into hermetic sites, in every attempt."""

    latency_seconds: Annotated[float, Field(ge=0, le=100)] = 0.0
    """Median latency of a page."""
    latency_sigma: Annotated[float, Field(ge=0, le=100)] = 0.0
    """Sigma of the lognormal latency distribution."""
    error_rate: Share = 0.0
    """Share of pages answered by an error page."""
    blocked_rate: Share = 0.0
    """Share of attempts blocked by a bot check."""
    shift: bool = False
    """Whether the layout shifts shortly after a page is shown."""


class AgentConfig(AgentSettings):
    """The agent."""

    use: str = "vlm"
    """`vlm`: queries the model of `policy`. `oracle`: solves tasks, where the environment knows how, as that of the
    hermetic sites does. `random`: clicks at random. `noop`: does nothing. `spoken-oracle`: an oracle whose decisions go
    through prompt and dialect like a model's. Or `module:function`, which makes an `Agent` for an `AttemptSetup`."""
    policy: str = "auto"
    """For `vlm`: `served` queries the servers of `model`; `engine` samples from the weights of `policy.model`, with
    `policy.server`; `module:function` makes a `Policy`. `auto`: `engine` if `policy.model` is set, else `served`."""


class PolicyConfig(RunSettings):
    """A policy with local weights, sampled by the built-in engine or by inference servers."""

    model: str = ""
    """Folder or Hugging Face Hub name; `nano`: the policy that ships with the package, with the settings it needs."""
    temperature: Annotated[float, Field(ge=0)] = 1.0
    """Sampling temperature; 0 is greedy."""
    max_tokens: Count = 512
    """Maximum tokens of a reply."""
    device: str = "auto"
    dtype: Literal["auto", "float32", "bfloat16"] = "auto"
    slots: Count = 16
    """Replies generated concurrently."""
    length: Count = 12288
    """Context length: tokens of a prompt and its reply. A 1280x768 page takes 960 tokens in Qwen3-VL, and the agent
    shows five. On a GPU the engine reserves memory for this many tokens per slot."""
    threads: Annotated[int, Field(ge=0)] = 0
    """CPU threads of the engine or of each server; 0: its default."""
    graphs: bool = False
    """On a GPU: use CUDA graphs, which speeds up small models."""
    reply_seconds: Seconds = 600.0
    """Engine timeout of a reply, including queueing and restarts. Servers have `servers.timeouts`."""
    load_seconds: Seconds = 900.0
    """Engine timeout of loading weights, at startup and on every update. Servers have `servers.start_seconds` and
    `servers.refresh_seconds`."""
    server: Literal["engine", "vllm", "sglang"] = "engine"
    """What samples: the built-in engine, or inference servers."""
    servers: ServersConfig = ServersConfig()
    """For `vllm` and `sglang`: servers to start for the run, or running ones to connect to."""


class JudgeConfig(JudgeSettings):
    """The judge of attempts. All settings but `use` configure the rubric judge."""

    use: str = "exact"
    """`exact`: the environment's own judge, such as that of the hermetic sites, which checks their state. `rubric`: the
    vision-language model of `judge.model`, fact by fact. `both`: the exact verdict counts, and the model's is stored
    beside it. `none`: attempts end without a verdict. Or `module:function`, which makes a `Judge`."""


class PoolConfig(RunSettings):
    """How attempts are executed."""

    tries: Count = 3
    """Tries of an attempt that fails because of infrastructure."""
    threshold: Annotated[float, Field(gt=0, le=1)] = 1.0
    """Share of finished attempts after which the stragglers get `grace_seconds` and are then cancelled, which is not a
    failure. Applies to `rollout` and to each iteration of synchronous training; evaluations run all attempts to the
    end, and asynchronous training never waits for stragglers."""
    grace_seconds: Seconds = 30.0
    gates: GateLimits = GateLimits()


class MonitorConfig(RunSettings):
    """The live monitor page."""

    serve: bool = True
    port: Annotated[int, Field(ge=0, le=65535)] = 0
    """Port of the page; 0: any free one."""
    token_env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    """Environment variable with the page's token, to use a fixed one, such as for Prometheus; empty: a new token for
    each run."""


class StoreConfig(RunSettings):
    """Where trajectories are stored."""

    root: str = "runs"
    """Folder of all runs."""
    image_budget_bytes: Count = 20 * 2**30
    """Bytes of screenshots to keep per run."""


class RunConfig(RunSettings):
    """Settings of one run."""

    COMMAND: ClassVar[str] = "eval"
    """Command whose `--print-config` prints all settings."""

    name: str = ""
    """Name of the run's folder; empty: derived from kind and time."""
    seed: int = 0
    env: EnvironmentConfig = EnvironmentConfig()
    tasks: TasksConfig = TasksConfig()
    browser: BrowserConfig = BrowserConfig()
    agent: AgentConfig = AgentConfig()
    model: ModelConfig | None = None
    policy: PolicyConfig = PolicyConfig()
    judge: JudgeConfig = JudgeConfig()
    limits: Limits = TEST
    pool: PoolConfig = PoolConfig()
    faults: FaultsConfig = FaultsConfig()
    monitor: MonitorConfig = MonitorConfig()
    store: StoreConfig = StoreConfig()

    def spelled_out(self) -> Self:
        """Return a copy in which every value that a name stands for, such as a recipe, is explicit."""
        return self


class RolloutConfig(RunConfig):
    """Settings of a rollout run: training sites, with the published step limits of training."""

    COMMAND: ClassVar[str] = "rollout"

    tasks: TasksConfig = TasksConfig(split="train", quarantine=True)
    limits: Limits = TRAIN
