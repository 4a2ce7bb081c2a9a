"""The slow way: rows padded to the longest, through transformers' own forward, logits of everything."""

from __future__ import annotations

import io
from array import array

import torch
from PIL import Image
from tests.unit.train import tiny
from torch import Tensor

from webgym.records.sample import Sample


def inputs(samples: list[Sample]) -> tuple[dict[str, Tensor], list[tuple[int, int]]]:
    """Keyword arguments of the model, and where each reply begins and ends."""
    rows = [array("i", sample.prompt + sample.sampled).tolist() for sample in samples]
    spans = [(len(sample.prompt) // 4, len(row)) for sample, row in zip(samples, rows, strict=True)]
    longest = max(map(len, rows))
    ids = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (longest - len(row)) for row in rows])
    found = {"input_ids": ids, "attention_mask": mask, "mm_token_type_ids": (ids == tiny.IMAGE).int()}
    addresses = [address for sample in samples for address in sample.pictures]
    if addresses:
        images = [Image.open(io.BytesIO(tiny.PICTURES[address])) for address in addresses]
        made = tiny.processor()(images=images, return_tensors="pt")
        found |= {"pixel_values": made["pixel_values"], "image_grid_thw": made["image_grid_thw"]}
    return found, spans


def logprobs(model, samples: list[Sample]) -> Tensor:
    """Of the sampled tokens, sample after sample."""
    arguments, spans = inputs(samples)
    logits = model(**arguments, use_cache=False).logits
    found = []
    for row, (sample, (start, stop)) in enumerate(zip(samples, spans, strict=True)):
        scaled = logits[row, start - 1 : stop - 1].float() / sample.temperature
        targets = arguments["input_ids"][row, start:stop]
        found.append(scaled.log_softmax(-1).gather(-1, targets[:, None]).squeeze(-1))
    return torch.cat(found)
