"""The two sides of the comparison. Both serve the same clients in this process, with the same number of threads."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from transformers import Qwen3VLForConditionalGeneration

from webgym.engine.engine import Engine
from webgym.engine.request import SamplingParams
from webgym.engine.settings import EngineSettings
from webgym_bench.engine.clients import Asked, Clients
from webgym_bench.engine.conditions import Conditions
from webgym_bench.engine.work import Work

_DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16}


@dataclass(frozen=True, slots=True)
class Run:
    """Duration and output of one side's run."""

    seconds: float
    cpu_seconds: float
    tokens: int
    latencies: tuple[float, ...]


Side = Callable[[Work], Run]


def engine_side(conditions: Conditions, folder: Path) -> Side:
    """Serve with the engine, which takes each request as soon as it is due."""
    longest = 4096
    engine = Engine(
        folder,
        EngineSettings(device=conditions.device, dtype=conditions.dtype, slots=conditions.prompts, length=longest),
    )

    def serve(clients: Clients) -> None:
        asked: dict[int, Asked] = {}
        number = 0
        while not clients.done:
            for one in clients.due():
                number += 1
                asked[number] = one
                sampling = SamplingParams(max_tokens=one.piece.tokens, endless=True)
                engine.submit(number, one.piece.ids, one.piece.pictures, sampling, seed=number)
            if not engine.busy:
                clients.wait()
            for finished in engine.step():
                clients.reply(asked.pop(finished.number))

    return lambda work: _timed(work, serve, conditions.device)


def generate_side(conditions: Conditions, folder: Path) -> Side:
    """Serve with transformers' `generate`, which takes all requests due at that point as one batch."""
    model: Any = Qwen3VLForConditionalGeneration.from_pretrained(folder, dtype=_DTYPES[conditions.dtype])
    model = model.to(conditions.device).eval()
    model.generation_config.eos_token_id = None

    def serve(clients: Clients) -> None:
        while not clients.done:
            batch = clients.due(conditions.prompts)
            if not batch:
                clients.wait()
                continue
            _generate(model, batch)
            for one in batch:
                clients.reply(one)

    return lambda work: _timed(work, serve, conditions.device)


@torch.inference_mode()
def _generate(model: Any, batch: list[Asked]) -> torch.Tensor:
    """Generate for a left-padded batch, until the longest reply is done."""
    longest = max(len(one.piece.ids) for one in batch)
    ids = torch.zeros(len(batch), longest, dtype=torch.long)
    mask = torch.zeros_like(ids)
    for row, one in enumerate(batch):
        start = longest - len(one.piece.ids)
        ids[row, start:] = torch.tensor(one.piece.ids)
        mask[row, start:] = 1
    shown = [shown.patches for one in batch for shown in one.piece.pictures]
    size = shown[0].pixels.shape[-1] // 3
    # Both frames of a patch are identical; pixels are normalised as by nano's processor.
    frames = torch.cat([patches.pixels for patches in shown]).view(-1, 3, 1, size).expand(-1, 3, 2, size)
    pixels = frames.reshape(-1, 6 * size).float() / 127.5 - 1
    grids = torch.tensor([[1, patches.grid.rows, patches.grid.columns] for patches in shown])
    device = model.device
    image_id = model.config.image_token_id
    return model.generate(
        input_ids=ids.to(device),
        attention_mask=mask.to(device),
        pixel_values=pixels.to(device, model.dtype),
        image_grid_thw=grids.to(device),
        mm_token_type_ids=(ids == image_id).int().to(device),
        max_new_tokens=max(one.piece.tokens for one in batch),
        do_sample=True,
        temperature=1.0,
        top_k=0,
        pad_token_id=0,
    )


def _timed(work: Work, serve: Callable[[Clients], None], device: str) -> Run:
    clients = Clients(work)
    began, cpu = time.monotonic(), time.process_time()
    serve(clients)
    if device != "cpu":
        torch.cuda.synchronize()
    return Run(time.monotonic() - began, time.process_time() - cpu, clients.tokens, tuple(clients.latencies))
