"""A tiny model whose next tokens depend on all it is shown, and what transformers makes of the same requests."""

from __future__ import annotations

import io
from dataclasses import dataclass

import numpy as np
import torch
from PIL import Image

from webgym.engine.engine import Engine
from webgym.engine.request import EngineReply, SamplingParams
from webgym.engine.sequence import PromptImage
from webgym_nano.config import NanoConfig
from webgym_nano.folder import write_folder
from webgym_nano.model import new_model

TINY = NanoConfig(
    width=128,
    height=96,
    vision_layers=3,
    vision_size=32,
    vision_heads=2,
    vision_inner=48,
    vision_grid=6,
    deepstack=(0, 1),
    layers=3,
    size=64,
    heads=4,
    key_heads=2,
    inner=96,
)


def tiny_model(seed, config=TINY):
    model = new_model(config, seed=seed)
    generator = torch.Generator().manual_seed(seed)
    with torch.no_grad():
        # Flat logits would prove little, and so would the last token again and again; norms of 1 would hide that one is
        # left out.
        model.model.language_model.embed_tokens.weight.normal_(std=0.25, generator=generator)
        for name, weight in model.named_parameters():
            if name.endswith(("o_proj.weight", "down_proj.weight")):
                weight.mul_(6)
            if "norm" in name:
                weight.add_(torch.randn(weight.shape, generator=generator) * 0.2)
    return model


def write_tiny(folder, seed, dtype=torch.float32):
    write_folder(folder, tiny_model(seed), TINY, dtype=dtype)
    return folder


def claiming(width, height):
    """A BMP of a few pixels that says that it is of this size."""
    out = io.BytesIO()
    Image.new("RGB", (4, 4)).save(out, "BMP")
    data = bytearray(out.getvalue())
    data[18:26] = width.to_bytes(4, "little") + height.to_bytes(4, "little")
    return bytes(data)


def png(seed, width=128, height=96):
    pixels = np.random.default_rng(seed).integers(0, 256, (height, width, 3), dtype=np.uint8)
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "PNG")
    return out.getvalue()


@dataclass
class Request:
    """A prompt for both."""

    ids: list[int]
    pictures: list[PromptImage]
    sampling: SamplingParams = SamplingParams(max_tokens=24)
    seed: int = 0


def request(engine: Engine, seed, sizes=((128, 96),), words=30, sampling=SamplingParams(max_tokens=24)):
    """Pictures with some text before, between and after them."""
    rng = np.random.default_rng(seed)
    pictures, ids = [], [3]
    for number, (width, height) in enumerate(sizes):
        patches = engine.pictures.read(png(100 * seed + number, width, height))
        pictures.append(PromptImage(f"picture-{seed}-{number}", patches))
        ids += [5, *[7] * patches.grid.tokens(2), 6, *rng.integers(30, 200, 3).tolist()]
    ids += [*rng.integers(30, 200, words).tolist(), 4]
    return Request(ids, pictures, sampling, seed)


def submit(engine: Engine, requests):
    for number, one in requests.items() if isinstance(requests, dict) else enumerate(requests):
        engine.submit(number, one.ids, one.pictures, one.sampling, seed=one.seed)


def finish(engine: Engine) -> dict[int, EngineReply]:
    replies = {}
    while engine.busy:
        replies |= {done.number: done.reply for done in engine.step()}
    return replies


def replies(engine: Engine, requests) -> dict[int, EngineReply]:
    submit(engine, requests)
    return finish(engine)


def inputs(one: Request, ids):
    """What transformers takes for it."""
    grids = [shown.patches.grid for shown in one.pictures]
    tensor = torch.tensor([ids])
    made = {"input_ids": tensor, "mm_token_type_ids": (tensor == 7).int()}
    if not grids:
        return {"input_ids": tensor}
    cut = [shown.patches.pixels.view(-1, 3, 1, 256) for shown in one.pictures]
    frames = [pixels.expand(-1, 3, 2, 256).reshape(-1, 1536) for pixels in cut]
    made["pixel_values"] = torch.cat(frames).float() / 127.5 - 1
    made["image_grid_thw"] = torch.tensor([[1, grid.rows, grid.columns] for grid in grids])
    return made


@torch.inference_mode()
def plain_logits(model, one: Request, sampled):
    """Logits before each sampled token, by one plain forward pass over everything."""
    ids = [*one.ids, *sampled[:-1]]
    return model(**inputs(one, ids)).logits[0, len(one.ids) - 1 :].float()


def plain_logprobs(model, one: Request, sampled, temperature=1.0):
    logprobs = torch.log_softmax(plain_logits(model, one, sampled) / temperature, -1)
    return logprobs.gather(-1, torch.tensor(sampled)[:, None])[:, 0]
