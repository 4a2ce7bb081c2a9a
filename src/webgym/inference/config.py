"""Settings of inference servers. Plain data: importing this is cheap."""

from __future__ import annotations

from typing import Annotated, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

from webgym.llm.config import Retries, Timeouts

Seconds = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]
Kind = Literal["vllm", "sglang"]


def _root(url: str) -> str:
    """Strip the path of the OpenAI routes: weights and tokens have routes of their own."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("a server is an http or https URL, such as http://127.0.0.1:8000")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError(
            "a server's URL must not contain credentials, a query or a fragment; for a key, set `api_key_env`"
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/').removesuffix('/v1')}"


ServerUrl = Annotated[str, AfterValidator(_root)]


class ServersConfig(BaseModel):
    """Servers that all serve the same policy: started and stopped with a run, or attached to."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    urls: tuple[ServerUrl, ...] = ()
    """Servers to attach to; empty: `replicas` servers are started on this machine."""
    replicas: Count = 1
    """Number of servers to start."""
    python: str = ""
    """Interpreter of the environment with the server installed, such as `.venv-vllm/bin/python`; empty: this one."""
    arguments: tuple[str, ...] = ()
    """Extra command-line arguments, after ours: `["--tensor-parallel-size", "2"]`."""
    environment: dict[str, str] = {}
    """Extra environment variables."""
    devices: tuple[str, ...] = ()
    """GPUs of each replica, such as `["1,2", "3,4"]`: indices among the GPUs visible to the run, or UUIDs. Empty: the
    GPUs that the trainer leaves are divided evenly."""
    images: Count = 8
    """Maximum images per prompt, which vLLM has to be told."""
    start_seconds: Seconds = 900.0
    """Timeout for a server to start serving."""
    refresh: Literal["disk", "transfer"] = "disk"
    """How servers get new weights. `disk`: they reload from the folder. `transfer`, vLLM only: through its
    weight-transfer routes, with the backend that comes with WebGym."""
    refresh_seconds: Seconds = 600.0
    """Timeout for new weights to be served, including restarts of a server."""
    in_flight: Literal["recompute", "wait"] = "recompute"
    """What happens to unfinished replies when weights are refreshed. `recompute`: they are paused, and go on with a KV
    cache rebuilt by the new weights; SGLang starts them over. `wait`: the refresh waits until they are finished."""
    sleep: bool = False
    """Whether servers release their GPU memory during training steps, in synchronous training: for a trainer on the
    same GPU. The trainer loads first and keeps its memory, so `arguments` must leave room for it
    (`--gpu-memory-utilization`). Attached servers must have it enabled (`--enable-sleep-mode`,
    `--enable-memory-saver`)."""
    logprobs: Literal["raw", "scaled", "processed"] | None = None
    """Distribution that an attached server's logprobs refer to; None: `processed` for vLLM, as we start it, and
    `scaled` for SGLang, its default."""
    api_key_env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    """Environment variable that holds the servers' API key; empty: none."""
    timeouts: Timeouts = Timeouts()
    retries: Retries = Retries()

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if len(set(self.urls)) < len(self.urls):
            raise ValueError("`urls` lists a server twice")
        if self.urls and (self.replicas > 1 or self.devices):
            raise ValueError(
                "`replicas` and `devices` are for servers that WebGym starts: remove them, or remove `urls`"
            )
        if self.devices and len(self.devices) != self.replicas:
            raise ValueError(f"{self.replicas} replicas, but devices for {len(self.devices)}")
        return self
