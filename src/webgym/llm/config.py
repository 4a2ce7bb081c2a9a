"""Configuration of a served model. Plain data, cheap to import."""

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
"""Request fields that have an option of their own, or that would make the reply unreadable."""
_CHAT = "/chat/completions"


def _base_url(url: str) -> str:
    """Normalize to a base URL: strip `/chat/completions`, and add `/v1` to a bare host."""
    parts = urlsplit(url)
    if parts.scheme not in {"http", "https"} or not parts.hostname:
        raise ValueError("a server is an http or https URL, such as http://127.0.0.1:8000/v1")
    if parts.username or parts.password or parts.query or parts.fragment:
        raise ValueError(
            "a server's URL must not contain credentials, a query or a fragment; for a key, set `api_key_env`"
        )
    path = parts.path.rstrip("/").removesuffix(_CHAT)
    return f"{parts.scheme}://{parts.netloc}{path or '/v1'}"


Server = Annotated[str, AfterValidator(_base_url)]


class SecretConfig(BaseModel):
    """Frozen base model that rejects unknown keys. Errors hide the input, which may be a misplaced API key."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Timeouts(SecretConfig):
    """Timeouts in seconds. Replies are not streamed, so the first byte arrives when generation is done."""

    connect: Seconds = 10.0
    first_byte: Seconds = 240.0
    total: Seconds = 300.0
    """One try, from the first byte sent to the last byte received."""
    deadline: Seconds = 900.0
    """One request: all tries, the backoff between them, and the wait for a server with room."""
    probe: Seconds = 5.0
    """The health check of a server that failed."""


class Retries(SecretConfig):
    """Retry policy."""

    tries: Count = 6
    pause: Seconds = 0.5
    """Backoff before the second try on the same server; doubled for each further one, minus random jitter."""
    longest_pause: Seconds = 30.0
    strikes: Count = 3
    """Consecutive failures after which a server is set aside. One suffices if it is unreachable or overloaded."""


class Prices(SecretConfig):
    """Prices in US dollars per million tokens."""

    prompt: Dollars = 0.0
    cached: Dollars | None = None
    """Price of cached prompt tokens; None for the price of other prompt tokens."""
    sampled: Dollars = 0.0


class ModelConfig(SecretConfig):
    """A model behind one or more OpenAI-compatible servers that all serve the same weights."""

    servers: Annotated[tuple[Server, ...], Field(min_length=1)]
    """Base URLs, up to and including `/v1`."""
    model: str
    api: Literal["openai", "vllm", "sglang"] = "openai"
    """`openai` sends only standard fields. The others also return token ids and logprobs."""
    api_key_env: Annotated[str, Field(pattern=r"^([A-Za-z_][A-Za-z0-9_]*)?$")] = ""
    """Name of the environment variable that holds the API key; empty sends none."""

    temperature: Annotated[float, Field(ge=0)] | None = None
    """None is the server's default with `openai`, and 1 otherwise, so that the checkpoint's generation config does not
    apply unnoticed. The same goes for `top_p`."""
    top_p: Annotated[float, Field(gt=0, le=1)] | None = None
    top_k: Annotated[int, Field(ge=0)] = 0
    """0 is off."""
    max_tokens: Count = 2048
    max_tokens_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    """Newer hosted models accept only the longer name."""
    extra_body: dict[str, Any] = {}
    """Additional fields of every request, sent verbatim."""

    tokens: bool = True
    """Request token ids and logprobs, if `api` supports them."""
    logprobs: Literal["raw", "scaled", "processed"] | None = None
    """The distribution of the server's logprobs: the model's own, after temperature, or after all sampling parameters.
    None is the server's default: `raw` for vllm, `scaled` for sglang."""
    version_from: tuple[str, ...] = ("header:X-Policy-Version", "field:metadata.weight_version")
    """Where a reply holds the version of the weights; the first source present is used."""

    concurrency: Count = 64
    """Maximum concurrent requests per server."""
    waiting: Count = 4096
    """Maximum requests waiting for a server; further ones fail."""
    reply_bytes: Count = 16 * 2**20
    timeouts: Timeouts = Timeouts()
    retries: Retries = Retries()
    prices: Prices = Prices()
    budget: Annotated[float, Field(gt=0)] | None = None
    """In US dollars. A request that could exceed it is not sent."""
    environment_proxy: bool = False
    """Use the proxy given by HTTPS_PROXY and HTTP_PROXY."""

    @model_validator(mode="after")
    def _fits_together(self) -> Self:
        if taken := sorted(_OURS & self.extra_body.keys()):
            raise ValueError(f"`extra_body` must not hold {', '.join(taken)}")
        if len(set(self.servers)) < len(self.servers):
            raise ValueError("`servers` lists a server twice")
        if self.budget is not None and not (self.prices.prompt and self.prices.sampled):
            raise ValueError("a `budget` needs `prices`: dollars for a million tokens, `prompt` and `sampled`")
        if wrong := [source for source in self.version_from if not source.startswith(("header:", "field:"))]:
            raise ValueError(f"`version_from` takes `header:NAME` and `field:PATH`, not {', '.join(wrong)}")
        return self
