"""Continuous batching: requests join and leave between tokens.

One thread owns an engine. `submit` takes requests, `step` reads new prompts and samples one more token of every
sequence, `refresh` puts other weights in place between two steps.
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
from webgym.engine.request import Reply, Sampling
from webgym.engine.sampling import choose
from webgym.engine.sequence import Sequence, Shown
from webgym.engine.settings import EngineSettings, InFlight
from webgym.errors import ConfigError, PolicyRejected, PolicyUnavailable


@dataclass(frozen=True, slots=True)
class Finished:
    """A request that is done."""

    number: int
    reply: Reply


class Engine:
    """Serves one model.

    Args:
        folder: Its checkpoint.
        settings: How.
        version: Of its weights.
    """

    def __init__(self, folder: Path, settings: EngineSettings = EngineSettings(), *, version: int = 0) -> None:
        if settings.threads:
            torch.set_num_threads(settings.threads)
        self._folder = folder
        self._settings = settings
        self.version = version
        self._waiting: deque[Sequence] = deque()
        self._running: list[Sequence] = []
        """The one at place n is in slot n."""
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
        """That weights, keys and values take."""
        return 0 if self._model is None else self._model.bytes

    @property
    def known_tokens(self) -> int:
        """Of prompts, that were not read because another prompt began like them."""
        return 0 if self._model is None else self._prefix_cache.saved

    def submit(
        self, number: int, ids: list[int], pictures: Many[Shown], sampling: Sampling = Sampling(), *, seed: int = 0
    ) -> None:
        """A request under a number of the caller's.

        Raises:
            PolicyRejected: It can never be served: too long, or pictures that do not match its placeholders.
            PolicyUnavailable: Too many wait already.
        """
        taken = len(self._waiting) + len(self._running)
        if taken >= self._settings.waiting + self._settings.slots:
            raise PolicyUnavailable(f"{taken} requests wait for the engine, and no more may")
        sampling.check()
        self._check(ids, pictures)
        room = self._settings.length - len(ids)
        if room < 1:
            raise PolicyRejected(f"a prompt of {len(ids)} tokens; with its reply it may have {self._settings.length}")
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
        """Nobody waits for this request any more."""
        self._waiting = deque(sequence for sequence in self._waiting if sequence.number != number)
        for slot in reversed(range(len(self._running))):
            if self._running[slot].number == number:
                self._leave(slot)

    @torch.inference_mode()
    def step(self) -> list[Finished]:
        """Read what waits, as far as there is room; one more token for all others. What that finished."""
        if self._model is None:
            return []
        finished: list[Finished] = []
        if self._running:
            finished += self._take(self._decoder.go_on(self._running), first=0)
        group = self._prefill.admit(self._waiting, len(self._running))
        if group:
            first = len(self._running)
            self._running += group
            finished += self._take(self._prefill.begin(group, first), first=first)
        return finished

    def examine(self, folder: Path) -> None:
        """Read weights once and check them, from any thread while others sample: what is left to do is to copy them.

        Raises:
            ConfigError: There is something wrong with them.
        """
        model = self._model
        if model is None:
            raise ConfigError("the engine sleeps; wake it with the new weights")
        model.check(Checkpoint(folder))

    def refresh(
        self,
        weights: Path | Mapping[str, torch.Tensor],
        version: int,
        *,
        in_flight: InFlight | None = None,
        examined: bool = False,
    ) -> None:
        """Other weights, from the next step on. Those it has stay if there is anything wrong with the new ones.

        Raises:
            ConfigError: There is.
        """
        tensors = Checkpoint(weights) if isinstance(weights, Path) else weights
        if self._model is None:
            raise ConfigError("the engine sleeps; wake it with the new weights")
        self._model.load(tensors, checked=examined)
        self.version = version
        if isinstance(weights, Path):
            self._folder = weights
        self._forget()
        if (in_flight or self._settings.in_flight) == "recompute":
            self._put_back()

    def sleep(self) -> None:
        """Give weights, keys and values back to the machine. Requests wait until it wakes."""
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
            ConfigError: There is something wrong with them; it sleeps on.
        """
        if self._model is None:
            self._wake(Model(folder or self._folder, self._settings))
            self._folder = folder or self._folder
            self.version = self.version if version is None else version
        elif folder is not None:
            # Whoever names weights wants these: an engine that never slept would go on with others.
            self.refresh(folder, self.version if version is None else version)

    def _check(self, ids: list[int], pictures: Many[Shown]) -> None:
        if not ids:
            raise PolicyRejected("a prompt without tokens")
        if min(ids) < 0 or max(ids) >= self._vocabulary:
            raise PolicyRejected(f"token {max(ids)} is none of the model's {self._vocabulary}")
        needed = [shown.patches.grid.tokens(self._merge) for shown in pictures]
        found = _runs(ids, self._image_id)
        if needed != found:
            raise PolicyRejected(f"placeholders of {found} tokens do not match pictures of {needed} tokens")

    def _take(self, logits: torch.Tensor, first: int) -> list[Finished]:
        """A token for each running sequence from this one on."""
        sequences = self._running[first:]
        draws = [sequence.draws.random() for sequence in sequences]
        tokens, logprobs = choose(logits, [sequence.sampling for sequence in sequences], draws)
        finished: list[Finished] = []
        for slot in reversed(range(len(sequences))):
            sequence = sequences[slot]
            if sequence.take(tokens[slot], logprobs[slot], self.version):
                finished.append(Finished(sequence.number, sequence.reply()))
                self._leave(first + slot)
        return finished

    def _leave(self, slot: int) -> None:
        """The last one takes its place: slots in use stand together."""
        last = self._running.pop()
        if slot < len(self._running):
            if self._model is not None:
                self._model.slots.move(len(self._running), slot, last.held)
            self._running[slot] = last

    def _put_back(self) -> None:
        """All that run wait again, first in line, with what they sampled."""
        self._waiting.extendleft(reversed(self._running))
        self._running.clear()

    def _forget(self) -> None:
        """What was made with other weights."""
        if self._model is not None:
            self._prefix_cache.clear()
            self._prefill.forget()


def _runs(ids: list[int], image_id: int) -> list[int]:
    """Lengths of the stretches of placeholders."""
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
