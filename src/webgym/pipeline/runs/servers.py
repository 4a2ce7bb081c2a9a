"""Inference servers of a run, as configured."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio.to_thread
import msgspec

from webgym.engine.render import Renderer, read_renderer
from webgym.errors import ConfigError
from webgym.inference.config import Kind
from webgym.inference.exchange import Vocabulary
from webgym.inference.launch import Serving
from webgym.inference.opening import open_replicas
from webgym.inference.policy import Asking, InferencePolicy, Make, open_inference
from webgym.inference.replicas import Replicas
from webgym.pipeline.runs.config import PolicyConfig
from webgym.records.sample import PolicyVersion

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
    path = folder / "config.json"
    try:
        found: Any = msgspec.json.decode(path.read_bytes())
        image = int(found["image_token_id"])
        others = [found.get(f"{name}_token_id") for name in ("video", "vision_start", "vision_end")]
    except (OSError, msgspec.MsgspecError, KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{path} does not tell which token stands for pictures: {error}") from None
    never = (image, *(int(one) for one in others if one is not None))
    return read_renderer(folder, image), Vocabulary(image, never)
