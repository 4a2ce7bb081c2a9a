"""Inference servers of a run, as configured."""

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
from webgym.pipeline.runs.config import PolicyConfig
from webgym.pipeline.runs.vocabulary import vocabulary_of
from webgym.records.sample import PolicyVersion
from webgym.records.vocabulary import Vocabulary

LOGS = "servers"
"""Folder of a run in which its servers log."""


@dataclass(frozen=True, slots=True)
class RunServers:
    """Servers that a run samples from."""

    replicas: Replicas
    make: Make
    slots: int

    def policy(self, config: PolicyConfig, temperature: float) -> InferencePolicy:
        """Asks them; as many requests again as they answer at once may wait there."""
        asking = Asking(temperature=temperature, max_tokens=config.max_tokens, concurrency=2 * self.slots)
        return self.make(asking)


@asynccontextmanager
async def open_servers(
    config: PolicyConfig, kind: Kind, policy: PolicyVersion, logs: Path, say: Callable[[str], None]
) -> AsyncGenerator[RunServers]:
    """For as long as the block lasts.

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


def read_words(folder: Path) -> tuple[Renderer, Vocabulary]:
    """Tokenizer, chat template and special tokens of a checkpoint. Blocks.

    Raises:
        ConfigError: It lacks one of them.
    """
    vocabulary = vocabulary_of(folder)
    return read_renderer(folder, vocabulary.image), vocabulary
