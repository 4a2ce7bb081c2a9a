"""Decode steps: one more token for every running sequence."""

from __future__ import annotations

import logging
from collections.abc import Sequence as Many
from dataclasses import dataclass

import torch

from webgym.engine.model import Model
from webgym.engine.sequence import Sequence

logger = logging.getLogger(__name__)

_LENGTH_STEP = 256
"""CUDA graphs are captured for sequence lengths in multiples of this, to bound their number: each takes memory."""


@dataclass(slots=True)
class _GraphRecording:
    graph: torch.cuda.CUDAGraph
    logits: torch.Tensor


class Decoder:
    """Runs decode steps of a model, optionally as CUDA graphs."""

    def __init__(self, model: Model, *, graphs: bool) -> None:
        self._model = model
        self._graphs = graphs and model.device.type == "cuda"
        self._recorded: dict[tuple[int, int], _GraphRecording] = {}
        count = model.slots.count
        self._ids = torch.zeros(count, dtype=torch.long, device=model.device)
        self._places = torch.zeros(count, dtype=torch.long, device=model.device)

    def go_on(self, running: Many[Sequence]) -> torch.Tensor:
        """Feed the last sampled token of each sequence, and return the logits after it."""
        count = len(running)
        self._ids[:count] = torch.tensor([sequence.sampled[-1] for sequence in running])
        self._places[:count] = torch.tensor([sequence.place for sequence in running])
        for sequence in running:
            sequence.held += 1
            sequence.place += 1
        seen = max(sequence.held for sequence in running)
        if self._graphs:
            return self._replayed(count, seen)
        return self._model.text.go_on(self._ids[:count], self._places[:count], self._model.slots, seen)

    def _replayed(self, count: int, seen: int) -> torch.Tensor:
        """Replay a CUDA graph captured for at least as many slots and tokens.

        Unused slots take part and get a token: prefill overwrites them before they are used.
        """
        slots = self._model.slots
        wide = min(slots.count, 1 << (count - 1).bit_length())
        long = min(slots.length, -(-seen // _LENGTH_STEP) * _LENGTH_STEP)
        slots.filled[count:wide].zero_()
        if (wide, long) not in self._recorded:
            try:
                self._recorded[wide, long] = self._record(wide, long)
            except RuntimeError as error:
                logger.warning("steps are not recorded: %s", error)
                self._graphs = False
                return self._model.text.go_on(self._ids[:count], self._places[:count], slots, seen)
        recorded = self._recorded[wide, long]
        recorded.graph.replay()
        return recorded.logits[:count]

    def _record(self, wide: int, long: int) -> _GraphRecording:
        """Capture a step, restoring the slots it changes, even if capture fails."""
        slots = self._model.slots
        filled, mask = slots.filled.clone(), slots.mask.clone()
        side = torch.cuda.Stream()
        try:
            return self._captured(wide, long, side)
        finally:
            # A failed warm-up may still be running on the side stream.
            torch.cuda.current_stream().wait_stream(side)
            # Keys and values were written where this step's belong, or beyond: the real step overwrites them.
            slots.filled.copy_(filled)
            slots.mask.copy_(mask)

    def _captured(self, wide: int, long: int, side: torch.cuda.Stream) -> _GraphRecording:
        """Warm up on a side stream, as CUDA graphs require, then capture."""
        slots, text = self._model.slots, self._model.text
        ids, places = self._ids[:wide], self._places[:wide]
        side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(side):
            text.go_on(ids, places, slots, long)
        torch.cuda.current_stream().wait_stream(side)
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            logits = text.go_on(ids, places, slots, long)
        return _GraphRecording(graph, logits)
