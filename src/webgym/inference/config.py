"""What can be configured about inference servers. Plain data: importing this is cheap."""

from __future__ import annotations

from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from webgym.llm.config import Retries, Timeouts

Seconds = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]
Kind = Literal["vllm", "sglang"]


def _root(url: str) -> str:
    """Without the path of its OpenAI routes: weights and tokens have routes of their own."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("a server is an http or https URL, such as http://127.0.0.1:8000")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("a server's URL holds no credentials, query or fragment; a key goes into `api_key_env`")
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/').removesuffix('/v1')}"


ServerUrl = Annotated[str, AfterValidator(_root)]


class ServersConfig(BaseModel):
    """Servers that all serve the same policy: started for a run and ended with it, or running already."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    urls: tuple[ServerUrl, ...] = ()
    """Of servers that run already; empty: `replicas` are started, on this machine."""
    replicas: Count = 1
    """How many are started."""
    python: str = ""
    """Interpreter of the environment that has the server, such as `.venv-vllm/bin/python`; empty: this one."""
    arguments: tuple[str, ...] = ()
    """More of the server's command line, after ours: `["--tensor-parallel-size", "2"]`."""
    environment: dict[str, str] = {}
    """More of its environment."""
    devices: tuple[str, ...] = ()
    """GPUs of each replica, such as `["1,2", "3,4"]`: numbers count from 0 among those that the run sees, UUIDs are as
    they are. Empty: even parts of those that the trainer leaves."""
    images: Count = 8
    """Pictures in a prompt, at most; vLLM wants to know."""
    start_seconds: Seconds = 900.0
    """From the start of a server until it serves."""
    refresh: Literal["disk", "transfer"] = "disk"
    """How servers get new weights. `disk`: they read the folder again. `transfer`, vLLM only: through its routes for
    weight transfer, with the backend that comes with WebGym."""
    refresh_seconds: Seconds = 600.0
    """For new weights to be served, restarts of a server included."""
    in_flight: Literal["recompute", "wait"] = "recompute"
    """What becomes of unfinished replies when weights are refreshed. `recompute`: they stop, and go on after the new
    weights have read what there is; SGLang begins them anew. `wait`: they are finished first, and the refresh waits."""
    sleep: bool = False
    """Whether servers give their memory back while the policy learns, in synchronous training: for a trainer on the
    same GPU. The trainer loads first and keeps what it has, so `arguments` must leave room for it
    (`--gpu-memory-utilization`). Servers that were not started by us must allow it (`--enable-sleep-mode`,
    `--enable-memory-saver`)."""
    logprobs: Literal["raw", "scaled", "processed"] | None = None
    """Of which distribution an attached server's logprobs are; None: `processed` for vLLM, which we start so, and
    `scaled` for SGLang, whose default it is."""
    api_key_env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    """Name of the environment variable that holds the servers' key; empty: none."""
    timeouts: Timeouts = Timeouts()
    retries: Retries = Retries()

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if len(set(self.urls)) < len(self.urls):
            raise ValueError("`urls` names a server twice")
        if self.urls and (self.replicas > 1 or self.devices):
            raise ValueError("`replicas` and `devices` are of servers that are started: leave them out beside `urls`")
        if self.devices and len(self.devices) != self.replicas:
            raise ValueError(f"{self.replicas} replicas, but devices for {len(self.devices)}")
        return self
