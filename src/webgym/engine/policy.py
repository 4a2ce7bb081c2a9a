"""An engine as a `Policy`."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from pathlib import Path

from webgym.engine.process import EngineProcess
from webgym.engine.request import SamplingParams
from webgym.engine.wire import SampleReply
from webgym.errors import PolicyUnavailable
from webgym.records.prompt import Completion, Prompt, Tokens, unpack_ids

_TRIES = 3
"""Attempts at a request whose engine died: sampling has no side effects, so it can be repeated."""


class EnginePolicy:
    """Samples from a local engine.

    async with open_engine(PolicyVersion(0, "checkpoints/nano")) as engine:
        completion = await EnginePolicy(engine).sample(prompt, pictures)

    Args:
        engine: A running engine.
        sampling: Sampling parameters.
        seed: Seed of the generator that draws the seeds of requests; random by default.
        deadline: Seconds for a reply, including the wait for a slot and restarts of the engine.
    """

    def __init__(
        self,
        engine: EngineProcess,
        sampling: SamplingParams = SamplingParams(),
        *,
        seed: int | None = None,
        deadline: float = 600.0,
    ) -> None:
        self._engine = engine
        self._sampling = sampling
        self._seeds = random.Random(seed)  # noqa: S311 - chooses tokens, guards nothing
        self._deadline = deadline

    async def sample(self, prompt: Prompt, pictures: Mapping[str, bytes], *, affinity: str = "") -> Completion:  # noqa: ARG002 - one engine
        """Sample one reply, with its tokens.

        Raises:
            PolicyUnavailable: There was none in the time allowed.
            PolicyRejected: The engine will not take this prompt.
        """
        began = time.monotonic()
        said = await self._said(prompt, pictures, self._seeds.getrandbits(63), began + self._deadline)
        versions = unpack_ids(said.versions)
        sampling = self._sampling
        return Completion(
            text=said.text,
            finish="length" if said.finish == "length" else "stop",
            model=Path(self._engine.policy.path).name,
            server="engine",
            version=versions[-1],
            prompt_tokens=len(said.prompt) // 4,
            sampled_tokens=len(versions),
            tokens=Tokens(
                prompt=said.prompt,
                sampled=said.sampled,
                logprobs=said.logprobs,
                versions=said.versions,
                temperature=sampling.temperature,
                top_p=sampling.top_p,
                top_k=sampling.top_k,
            ),
            seconds=time.monotonic() - began,
        )

    async def _said(self, prompt: Prompt, pictures: Mapping[str, bytes], seed: int, until: float) -> SampleReply:
        for left in reversed(range(_TRIES)):
            restarts = self._engine.restarts
            try:
                deadline = max(0.0, until - time.monotonic())
                return await self._engine.ask(prompt, pictures, self._sampling, seed=seed, deadline=deadline)
            except PolicyUnavailable:
                died = self._engine.pid is None or self._engine.restarts != restarts
                if not left or not died or time.monotonic() >= until:
                    raise
        raise PolicyUnavailable(f"the engine died {_TRIES} times")
