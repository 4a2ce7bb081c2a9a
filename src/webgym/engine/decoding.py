"""One more token of every running sequence."""

from __future__ import annotations

from collections.abc import Sequence as Many

import torch

from webgym.engine.model import Model
from webgym.engine.sequence import Sequence


class Decoder:
    """Of one model."""

    def __init__(self, model: Model, *, graphs: bool) -> None:
        self._model = model
        self._graphs = graphs and model.device.type == "cuda"

    def go_on(self, running: Many[Sequence]) -> torch.Tensor:
        """Logits after the last sampled token of each, which goes into its slot."""
        ids = torch.tensor([sequence.sampled[-1] for sequence in running])
        places = torch.tensor([sequence.place for sequence in running])
        for sequence in running:
            sequence.held += 1
            sequence.place += 1
        seen = max(sequence.held for sequence in running)
        model = self._model
        return model.text.go_on(ids.to(model.device), places.to(model.device), model.slots, seen)
