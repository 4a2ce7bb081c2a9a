"""Continuous batching: requests join and leave between decode steps.

One thread owns an engine. `submit` queues requests, `step` decodes one token of every running sequence and prefills
new prompts, `refresh` replaces the weights between two steps.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Mapping
from collections.abc import Sequence as Many
from dataclasses import dataclass
from pathlib import Path

import torch

from webgym.engine.checkpoint import Checkpoint
from webgym.engine.decoding import Decoder
from webgym.engine.memory import release_memory
from webgym.engine.memory_budget import prefix_bytes, token_bytes
from webgym.engine.model import Model
from webgym.engine.prefill import Prefill
from webgym.engine.prefix_cache import PrefixCache, marks_of
from webgym.engine.request import EngineReply, SamplingParams
from webgym.engine.sampling import choose
from webgym.engine.sequence import PromptImage, Sequence
from webgym.engine.settings import EngineSettings, InFlight
from webgym.errors import ConfigError, PolicyRejected, PolicyUnavailable


@dataclass(frozen=True, slots=True)
class FinishedRequest:
    """A finished request."""

    number: int
    reply: EngineReply


class Engine:
    """Serves one model.

    Args:
        folder: Checkpoint of the model.
        settings: Engine settings.
        version: Version of the weights.
    """

    def __init__(self, folder: Path, settings: EngineSettings = EngineSettings(), *, version: int = 0) -> None:
        if settings.threads:
            torch.set_num_threads(settings.threads)
        self._folder = folder
        self._settings = settings
        self.version = version
        self._waiting: deque[Sequence] = deque()
        self._running: list[Sequence] = []
        """The sequence at index n is in slot n."""
        self._wake(Model(folder, settings))

    def _wake(self, model: Model) -> None:
        self._model: Model | None = model
        self._image_id = model.shape.image_token_id
        self._merge = model.shape.vision_config.spatial_merge_size
        self._ends = model.ends | model.shape.vision_ids
        self._vocabulary = model.shape.text_config.vocab_size
        self.pictures = model.reader
        most = self._settings.prefix_bytes
        longest = token_bytes(model.shape.text_config, model.dtype) * self._settings.length
        self._prefix_cache = PrefixCache(prefix_bytes(model.left, model.device, longest) if most is None else most)
        self._prefill = Prefill(model, self._prefix_cache, self._settings)
        self._decoder = Decoder(model, graphs=self._settings.graphs)

    @property
    def busy(self) -> bool:
        """Whether a step would do anything."""
        return self._model is not None and bool(self._waiting or self._running)

    @property
    def asleep(self) -> bool:
        return self._model is None

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    @property
    def running(self) -> int:
        return len(self._running)

    @property
    def model_bytes(self) -> int:
        """Bytes of weights and KV cache."""
        return 0 if self._model is None else self._model.bytes

    @property
    def known_tokens(self) -> int:
        """Prompt tokens served from the prefix cache."""
        return 0 if self._model is None else self._prefix_cache.saved

    def submit(
        self,
        number: int,
        ids: list[int],
        pictures: Many[PromptImage],
        sampling: SamplingParams = SamplingParams(),
        *,
        seed: int = 0,
    ) -> None:
        """Queue a request under a number chosen by the caller.

        Raises:
            PolicyRejected: It can never be served: too long, or images that do not match its placeholders.
            PolicyUnavailable: Too many requests are waiting already.
        """
        taken = len(self._waiting) + len(self._running)
        if taken >= self._settings.waiting + self._settings.slots:
            raise PolicyUnavailable(f"the engine's queue is full: {taken} requests are waiting")
        sampling.check()
        self._check(ids, pictures)
        room = self._settings.length - len(ids)
        if room < 1:
            raise PolicyRejected(
                f"a prompt of {len(ids)} tokens; prompt and reply together may have at most {self._settings.length}"
            )
        sizes = [(shown.address, shown.patches.grid.tokens(self._merge)) for shown in pictures]
        self._waiting.append(
            Sequence(
                number=number,
                ids=ids,
                pictures=tuple(pictures),
                marks=marks_of(ids, self._image_id, sizes),
                sampling=sampling,
                ends=frozenset() if sampling.endless else self._ends.union(sampling.stop),
                most=min(sampling.max_tokens, room),
                draws=random.Random(seed),  # noqa: S311 - chooses tokens, guards nothing
            )
        )

    def cancel(self, number: int) -> None:
        """Drop a request, waiting or running."""
        self._waiting = deque(sequence for sequence in self._waiting if sequence.number != number)
        for slot in reversed(range(len(self._running))):
            if self._running[slot].number == number:
                self._leave(slot)

    @torch.inference_mode()
    def step(self) -> list[FinishedRequest]:
        """Decode one token of every running sequence, then prefill waiting ones; return those that finished."""
        if self._model is None:
            return []
        finished: list[FinishedRequest] = []
        if self._running:
            finished += self._take(self._decoder.go_on(self._running), first=0)
        group = self._prefill.admit(self._waiting, len(self._running))
        if group:
            first = len(self._running)
            self._running += group
            finished += self._take(self._prefill.begin(group, first), first=first)
        return finished

    def examine(self, folder: Path) -> None:
        """Read and check new weights, from any thread while sampling goes on, so that `refresh` only has to copy them.

        Raises:
            ConfigError: The weights are not valid for this model.
        """
        model = self._model
        if model is None:
            raise ConfigError("the engine is asleep; load new weights to wake it")
        model.check(Checkpoint(folder))

    def refresh(
        self,
        weights: Path | Mapping[str, torch.Tensor],
        version: int,
        *,
        in_flight: InFlight | None = None,
        examined: bool = False,
    ) -> None:
        """Replace the weights from the next step on. If the new ones are not valid, the old ones stay.

        Raises:
            ConfigError: The new weights are not valid for this model.
        """
        tensors = Checkpoint(weights) if isinstance(weights, Path) else weights
        if self._model is None:
            raise ConfigError("the engine is asleep; load new weights to wake it")
        self._model.load(tensors, checked=examined)
        self.version = version
        if isinstance(weights, Path):
            self._folder = weights
        self._forget()
        if (in_flight or self._settings.in_flight) == "recompute":
            self._put_back()

    def sleep(self) -> None:
        """Free weights and KV cache. Requests wait until `wake`."""
        if self._model is None:
            return
        self._put_back()
        self._forget()
        self._model = None
        del self._prefill, self._decoder, self._prefix_cache
        release_memory()

    def wake(self, folder: Path | None = None, version: int | None = None) -> None:
        """Load weights again: the last ones, or others.

        Raises:
            ConfigError: The weights are not valid; the engine stays asleep.
        """
        if self._model is None:
            self._wake(Model(folder or self._folder, self._settings))
            self._folder = folder or self._folder
            self.version = self.version if version is None else version
        elif folder is not None:
            # The engine is awake, and the caller named weights: it must not go on with others.
            self.refresh(folder, self.version if version is None else version)

    def _check(self, ids: list[int], pictures: Many[PromptImage]) -> None:
        if not ids:
            raise PolicyRejected("the prompt has no tokens")
        if min(ids) < 0 or max(ids) >= self._vocabulary:
            raise PolicyRejected(f"token {max(ids)} is outside the model's vocabulary of {self._vocabulary}")
        needed = [shown.patches.grid.tokens(self._merge) for shown in pictures]
        found = _runs(ids, self._image_id)
        if needed != found:
            raise PolicyRejected(f"placeholders of {found} tokens do not match pictures of {needed} tokens")

    def _take(self, logits: torch.Tensor, first: int) -> list[FinishedRequest]:
        """Sample a token for each running sequence from index `first` on; return those that finished."""
        sequences = self._running[first:]
        draws = [sequence.draws.random() for sequence in sequences]
        tokens, logprobs = choose(logits, [sequence.sampling for sequence in sequences], draws)
        finished: list[FinishedRequest] = []
        for slot in reversed(range(len(sequences))):
            sequence = sequences[slot]
            if sequence.take(tokens[slot], logprobs[slot], self.version):
                finished.append(FinishedRequest(sequence.number, sequence.reply()))
                self._leave(first + slot)
        return finished

    def _leave(self, slot: int) -> None:
        """Remove a sequence and move the last one into its slot, so that used slots stay contiguous."""
        last = self._running.pop()
        if slot < len(self._running):
            if self._model is not None:
                self._model.slots.move(len(self._running), slot, last.held)
            self._running[slot] = last

    def _put_back(self) -> None:
        """Return all running sequences to the front of the queue, with the tokens sampled so far."""
        self._waiting.extendleft(reversed(self._running))
        self._running.clear()

    def _forget(self) -> None:
        """Clear the caches computed with other weights."""
        if self._model is not None:
            self._prefix_cache.clear()
            self._prefill.forget()


def _runs(ids: list[int], image_id: int) -> list[int]:
    """Return the lengths of the runs of placeholders."""
    runs: list[int] = []
    before = -1
    for token in ids:
        if token == image_id:
            if before == image_id:
                runs[-1] += 1
            else:
                runs.append(1)
        before = token
    return runs
