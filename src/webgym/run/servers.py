"""The inference servers of a run, as configured."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio.to_thread

from webgym.engine.render import Renderer, read_renderer
from webgym.inference.config import Kind
from webgym.inference.launch import Serving
from webgym.inference.opening import open_replicas
from webgym.inference.policy import Asking, InferencePolicy, Make, open_inference
from webgym.inference.replicas import Replicas
from webgym.records.sample import PolicyVersion
from webgym.records.vocabulary import ImageTokens
from webgym.run.config import PolicyConfig
from webgym.run.vocabulary import vocabulary_of

LOGS = "servers"
"""Folder of the servers' logs, inside the run's folder."""


@dataclass(frozen=True, slots=True)
class RunServers:
    """Servers that a run samples from."""

    replicas: Replicas
    make: Make
    slots: int

    def policy(self, config: PolicyConfig, temperature: float) -> InferencePolicy:
        """Return a policy that queries the servers, with up to `2 * slots` requests in flight to keep them busy."""
        asking = Asking(temperature=temperature, max_tokens=config.max_tokens, concurrency=2 * self.slots)
        return self.make(asking)


@asynccontextmanager
async def open_servers(
    config: PolicyConfig, kind: Kind, policy: PolicyVersion, logs: Path, say: Callable[[str], None]
) -> AsyncGenerator[RunServers]:
    """Open the servers of a policy.

    Raises:
        ConfigError: They do not start, or the policy's folder is no checkpoint.
    """
    words, vocabulary = await anyio.to_thread.run_sync(read_words, Path(policy.path))
    serving = Serving(kind, config.dtype, config.length, config.slots, config.threads)
    async with (
        open_replicas(serving, config.servers, policy, logs=logs, say=say) as replicas,
        open_inference(replicas, words, vocabulary) as make,
    ):
        yield RunServers(replicas, make, config.slots)


def read_words(folder: Path) -> tuple[Renderer, ImageTokens]:
    """Read tokenizer, chat template and special tokens of a checkpoint. Blocks.

    Raises:
        ConfigError: One of them is missing.
    """
    vocabulary = vocabulary_of(folder)
    return read_renderer(folder, vocabulary.image), vocabulary
