"""The baseline: padded rows through stock transformers, bfloat16 weights, AdamW after every micro-batch."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import inspect
from array import array
from typing import Any

import torch
from torch import Tensor

from webgym.records.sample import Sample
from webgym_bench.trainer.clock import now
from webgym_bench.trainer.work import Kind


class PlainLoop:
    """The loop of a short training script."""

    def __init__(self, config: Any, kind: Kind, device: torch.device, dtype: torch.dtype, rows: int) -> None:
        from transformers import Qwen3VLForConditionalGeneration  # noqa: PLC0415  slow to import

        before = torch.get_default_dtype()
        torch.set_default_dtype(dtype)
        try:
            with device:
                config._attn_implementation = "sdpa"  # noqa: SLF001  the way to select it in transformers
                self.model: Any = Qwen3VLForConditionalGeneration(config)
        finally:
            torch.set_default_dtype(before)
        self.model.train()
        config.use_cache = config.text_config.use_cache = False
        if device.type == "cuda":
            self.model.gradient_checkpointing_enable()
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=1e-6, fused=True)
        self.optimizer_seconds = 0.0
        self._config, self._kind, self._device, self._rows = config, kind, device, rows
        vision, (height, width) = config.vision_config, kind.grid
        values = vision.in_channels * vision.temporal_patch_size * vision.patch_size**2
        # Prepared in memory, as for our trainer: drawing noise takes seconds and is not what is measured.
        self._picture = torch.randn(height * width, values).to(dtype)
        self._takes = frozenset(inspect.signature(self.model.model.forward).parameters)

    def step(self, samples: list[Sample]) -> float:
        """Train on all samples, one micro-batch at a time. Return the last loss."""
        loss = torch.zeros(())
        self.optimizer_seconds = 0.0
        for start in range(0, len(samples), self._rows):
            loss = self.model(**self._padded(samples[start : start + self._rows])).loss
            loss.backward()
            began = now(self._device)
            torch.nn.utils.clip_grad_norm_(self.model.parameters(), 1.0)
            self.optimizer.step()
            self.optimizer.zero_grad()
            self.optimizer_seconds += now(self._device) - began
        return float(loss.detach())

    def _padded(self, samples: list[Sample]) -> dict[str, Tensor]:
        rows = [array("i", sample.prompt + sample.sampled).tolist() for sample in samples]
        longest = max(map(len, rows))
        ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
        mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
        labels = torch.full_like(ids, -100)
        for number, (sample, row) in enumerate(zip(samples, rows, strict=True)):
            labels[number, len(sample.prompt) // 4 : len(row)] = ids[number, len(sample.prompt) // 4 : len(row)]
        height, width = self._kind.grid
        pictures = sum(len(sample.pictures) for sample in samples)
        found = {
            "input_ids": ids,
            "attention_mask": mask,
            "labels": labels,
            "pixel_values": self._picture.repeat(pictures, 1),
            "image_grid_thw": torch.tensor([[1, height, width]] * pictures),
        }
        if "mm_token_type_ids" in self._takes:
            found["mm_token_type_ids"] = (ids == self._config.image_token_id).int()
        return {name: tensor.to(self._device) for name, tensor in found.items()}
