"""What can be configured about a served model. Plain data: importing this is cheap."""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

Seconds = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]
Dollars = Annotated[float, Field(ge=0)]

_OURS = frozenset(
    {"logprobs", "max_completion_tokens", "max_tokens", "messages", "model", "n", "stream"}
    | {"temperature", "tools", "top_k", "top_logprobs", "top_p"}
)
"""Fields of a request that have an option of their own, or that the reply could not be read with."""
_CHAT = "/chat/completions"


def _base_url(url: str) -> str:
    """Without what every request adds; a bare host gets the path that all these servers have."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("a server is an http or https URL, such as http://127.0.0.1:8000/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError("a server's URL holds no credentials, query or fragment; a key goes into `api_key_env`")
    path = parts.path.rstrip("/").removesuffix(_CHAT)
    return f"{parts.scheme}://{parts.netloc}{path or '/v1'}"


Server = Annotated[str, AfterValidator(_base_url)]


class Config(BaseModel):
    """Frozen; unknown keys are refused. Errors do not repeat what was given: it may be a key in the wrong place."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Timeouts(Config):
    """How long to wait for what. Replies come whole, so that the first byte comes when the model is done."""

    connect: Seconds = 10.0
    first_byte: Seconds = 240.0
    total: Seconds = 300.0
    """One try, from the first byte sent to the last one received."""
    deadline: Seconds = 900.0
    """All tries of one request with the pauses between them, and the wait for a server that has room."""
    probe: Seconds = 5.0
    """The question whether a server that failed is back."""


class Retries(Config):
    """What happens after a try that failed."""

    tries: Count = 6
    pause: Seconds = 0.5
    """Before the second try on the same server; it doubles with each further one, less a random part."""
    longest_pause: Seconds = 30.0
    strikes: Count = 3
    """Failures in a row after which a server is set aside. One is enough if no connection can be made."""


class Prices(Config):
    """US dollars for a million tokens."""

    prompt: Dollars = 0.0
    cached: Dollars | None = None
    """Prompt tokens that the server had already; None: as the others."""
    sampled: Dollars = 0.0


class ModelConfig(Config):
    """A model behind one or several OpenAI-compatible servers that all serve the same."""

    servers: Annotated[tuple[Server, ...], Field(min_length=1)]
    """Base URLs, as far as `/v1`."""
    model: str
    api: Literal["openai", "vllm", "sglang"] = "openai"
    """`openai`: only what all servers know is sent. The others give token ids and logprobs."""
    api_key_env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    """Name of the environment variable that holds the key; empty: no key is sent."""

    temperature: Annotated[float, Field(ge=0)] | None = None
    """None: what the server takes with `openai`, 1 with the others, where a model's own settings would apply unseen.
    So with `top_p`."""
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    top_k: Annotated[int, Field(ge=0)] = 0
    """0: off."""
    max_tokens: Count = 2048
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """Newer hosted models know only the longer name."""
    extra_body: dict[str, Any] = {}
    """More fields of every request, as they are."""

    tokens: bool = True
    """Ask for token ids and logprobs, where `api` has them."""
    logprobs: Literal["raw", "scaled", "processed"] | None = None
    """Of which distribution the server's logprobs are: the model's own, that with the temperature applied, or that with
    everything applied. None: the server's default, `raw` for vllm and `scaled` for sglang."""
    version_from: tuple[str, ...] = ("header:X-Policy-Version", "field:metadata.weight_version")
    """Where the version of the weights stands in a reply; the first that is there counts."""

    concurrency: Count = 64
    """Requests at once on one server."""
    waiting: Count = 4096
    """Requests that may wait for room; the next one is refused."""
    reply_bytes: Count = 16 * 2**20
    timeouts: Timeouts = Timeouts()
    retries: Retries = Retries()
    prices: Prices = Prices()
    budget: Annotated[float, Field(gt=0)] | None = None
    """US dollars. A request that could go over it is not sent."""
    environment_proxy: bool = False
    """Go through the proxy that HTTPS_PROXY and HTTP_PROXY name."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if taken := sorted(_OURS & self.extra_body.keys()):
            raise ValueError(f"`extra_body` must not hold {', '.join(taken)}")
        if len(set(self.servers)) < len(self.servers):
            raise ValueError("`servers` names one twice")
        if self.budget is not None and not (self.prices.prompt and self.prices.sampled):
            raise ValueError("a `budget` needs `prices`: dollars for a million tokens, `prompt` and `sampled`")
        if wrong := [source for source in self.version_from if not source.startswith(("header:", "field:"))]:
            raise ValueError(f"`version_from` takes `header:NAME` and `field:PATH`, not {', '.join(wrong)}")
        return self
