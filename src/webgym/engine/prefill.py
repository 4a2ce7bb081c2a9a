"""Prefill: images are encoded, prompts run packed through the language model, KV cache slots are filled."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence as Many

import torch

from webgym.engine.grids import PatchGrid, sequence_places
from webgym.engine.lru import Lru
from webgym.engine.memory_budget import feature_bytes, token_bytes
from webgym.engine.model import Model
from webgym.engine.prefix_cache import PrefixCache
from webgym.engine.sequence import PromptImage, Sequence
from webgym.engine.settings import EngineSettings
from webgym.engine.text import TokenSpan
from webgym.engine.vision import Features


class Prefill:
    """Prefills prompts for one model."""

    def __init__(self, model: Model, prefix_cache: PrefixCache, settings: EngineSettings) -> None:
        self._model = model
        self._prefix_cache = prefix_cache
        usual = 2048 if model.device.type == "cpu" else 16_384
        self._prompt_tokens = settings.prompt_tokens or usual
        self._vision_patches = settings.vision_patches or usual
        most = settings.feature_bytes
        self._features: Lru[Features] = Lru(feature_bytes(model.left, model.device) if most is None else most)
        self._token_bytes = token_bytes(model.shape.text_config, model.dtype)
        self._merge = model.shape.vision_config.spatial_merge_size
        self._image_id = model.shape.image_token_id

    def forget(self) -> None:
        """Clear the image features, after new weights."""
        self._features.clear()

    def admit(self, waiting: deque[Sequence], running: int) -> list[Sequence]:
        """Take the next sequences from the queue, as many as free slots and the token budget of a prefill allow."""
        group: list[Sequence] = []
        tokens = 0
        while waiting and running + len(group) < self._model.slots.count:
            tokens += len(waiting[0].ids) + len(waiting[0].sampled)
            if group and tokens > self._prompt_tokens:
                break
            group.append(waiting.popleft())
        return group

    def begin(self, group: Many[Sequence], first: int) -> torch.Tensor:
        """Prefill a group into the slots from `first` on; return the logits after the last token of each."""
        spans = [self._known(sequence, first + number) for number, sequence in enumerate(group)]
        features = self._look(group, spans)
        parts = [self._embedded(sequence, span, features) for sequence, span in zip(group, spans, strict=True)]
        states = torch.cat([states for states, _, _ in parts])
        places = torch.cat([places for _, places, _ in parts], 1).to(self._model.device)
        deep = _deep(parts, spans, self._model.device)
        logits = self._model.text.begin(states, places, spans, self._model.slots, deep)
        for sequence, span in zip(group, spans, strict=True):
            sequence.held = span.start + span.length
            self._model.slots.fill(span.slot, sequence.held)
            self._keep(sequence, span)
        return logits

    def _known(self, sequence: Sequence, slot: int) -> TokenSpan:
        """Restore the longest cached prefix into the slot; return the span that is left to prefill."""
        total = len(sequence.ids) + len(sequence.sampled)
        known, states = (0, None) if sequence.sampled else self._prefix_cache.longest(sequence.marks)
        if states is not None:
            self._model.slots.restore(slot, states, known)
        return TokenSpan(slot, known, total - known)

    def _keep(self, sequence: Sequence, span: TokenSpan) -> None:
        whole = not sequence.sampled and span.length > 1
        if whole and self._prefix_cache.takes(sequence.held * self._token_bytes):
            self._prefix_cache.keep(sequence.marks, self._model.slots.snapshot(span.slot, sequence.held))

    def _look(self, group: Many[Sequence], spans: Many[TokenSpan]) -> dict[str, Features]:
        """Return the features of all images that the spans need; each image is encoded once."""
        found: dict[str, Features] = {}
        unseen: dict[PatchGrid, list[PromptImage]] = {}
        for sequence, span in zip(group, spans, strict=True):
            for shown in self._needed(sequence, span):
                if shown.address in found:
                    continue
                kept = self._features.get(shown.address)
                if kept is not None:
                    found[shown.address] = kept
                elif all(shown.address != other.address for other in unseen.setdefault(shown.patches.grid, [])):
                    unseen[shown.patches.grid].append(shown)
        for grid, pictures in unseen.items():
            at_once = max(1, self._vision_patches // grid.patches)
            for start in range(0, len(pictures), at_once):
                some = pictures[start : start + at_once]
                patches = torch.stack([shown.patches.pixels for shown in some])
                for shown, features in zip(some, self._model.vision.look(patches, grid), strict=True):
                    found[shown.address] = features
                    self._features.put(shown.address, features)
        return found

    def _needed(self, sequence: Sequence, span: TokenSpan) -> list[PromptImage]:
        """Return the images of a sequence that reach into the span."""
        after = [at for at, token in enumerate(sequence.ids) if token == self._image_id and at >= span.start]
        tokens = 0
        needed: list[PromptImage] = []
        for shown in reversed(sequence.pictures):
            if tokens >= len(after):
                break
            tokens += shown.patches.grid.tokens(self._merge)
            needed.append(shown)
        return needed[::-1]

    def _embedded(
        self, sequence: Sequence, span: TokenSpan, features: dict[str, Features]
    ) -> tuple[torch.Tensor, torch.Tensor, tuple[torch.Tensor, list[torch.Tensor]]]:
        """Return embeddings and positions of the span's tokens; and its image rows, with their deepstack features."""
        device = self._model.device
        grids = [shown.patches.grid for shown in sequence.pictures]
        places, sequence.place = sequence_places(sequence.tokens, grids, self._image_id, self._merge)
        ids = torch.tensor(sequence.tokens[span.start :])
        states = self._model.text.embed(ids.to(device))
        rows = (ids == self._image_id).nonzero()[:, 0].to(device)
        deep: list[torch.Tensor] = []
        if len(rows):
            seen = [features[shown.address] for shown in self._needed(sequence, span)]
            # Only the image tokens within the span: those before it are in the prefix cache.
            states.index_copy_(0, rows, torch.cat([features.embedding for features in seen])[-len(rows) :])
            deep = [torch.cat(layer)[-len(rows) :] for layer in zip(*(features.deep for features in seen), strict=True)]
        return states, places[:, span.start :], (rows, deep)


def _deep(
    parts: Many[tuple[torch.Tensor, torch.Tensor, tuple[torch.Tensor, list[torch.Tensor]]]],
    spans: Many[TokenSpan],
    device: torch.device,
) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """Return, for each of the first layers, rows among all tokens and the deepstack features added to them."""
    layers = max(len(deep) for _, _, (_, deep) in parts)
    if not layers:
        return []
    starts = torch.tensor([0, *(span.length for span in spans[:-1])], device=device).cumsum(0)
    having = [(rows + start, deep) for (_, _, (rows, deep)), start in zip(parts, starts, strict=True) if deep]
    rows = torch.cat([rows for rows, _ in having])
    return [(rows, torch.cat([deep[layer] for _, deep in having])) for layer in range(layers)]
