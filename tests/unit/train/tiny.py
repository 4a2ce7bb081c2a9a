"""Small random models of the published architecture, and samples for them."""

from __future__ import annotations

import io
import random
from array import array
from collections.abc import Sequence
from pathlib import Path

import torch
from PIL import Image
from transformers import Qwen3VLConfig
from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import Qwen2VLImageProcessorPil

from webgym.records.sample import Batch, Sample
from webgym.train.images import Bytes
from webgym.train.open import open_trainer
from webgym.train.recipe import GroupSource, LossSettings, Optimizer, Recipe, Updates
from webgym.train.settings import TrainerSettings
from webgym.train.trainer import ModelTrainer

VOCABULARY = 200
IMAGE, START, END = 190, 191, 192
MERGE, PATCH = 2, 8
SIDE = MERGE * PATCH


def config(*, tied: bool = True, layers: int = 3, width: int = 48) -> Qwen3VLConfig:
    return Qwen3VLConfig(
        text_config={
            "vocab_size": VOCABULARY,
            "hidden_size": width,
            "intermediate_size": 80,
            "num_hidden_layers": layers,
            "num_attention_heads": 4,
            "num_key_value_heads": 2,
            "head_dim": 16,
            "max_position_embeddings": 4096,
            "rope_parameters": {"rope_type": "default", "rope_theta": 10_000.0, "mrope_section": [3, 3, 2]},
        },
        vision_config={
            "depth": 3,
            "hidden_size": 32,
            "intermediate_size": 48,
            "num_heads": 2,
            "patch_size": PATCH,
            "spatial_merge_size": MERGE,
            "temporal_patch_size": 2,
            "out_hidden_size": width,
            "num_position_embeddings": 36,
            "deepstack_visual_indexes": [0, 2],
        },
        image_token_id=IMAGE,
        video_token_id=193,
        vision_start_token_id=START,
        vision_end_token_id=END,
        tie_word_embeddings=tied,
    )


def published(seed: int = 0, **choices: object) -> torch.nn.Module:
    """A random model as transformers makes it, with larger weights than it would give: nothing is almost zero."""
    from transformers import Qwen3VLForConditionalGeneration

    torch.manual_seed(seed)
    model = Qwen3VLForConditionalGeneration(config(**choices)).float()
    with torch.no_grad():
        for name, weight in model.named_parameters():
            weight.normal_(1.0 if "norm" in name and name.endswith("weight") else 0.0, 0.2)
    model.tie_weights()
    return model.eval()


def processor() -> Qwen2VLImageProcessorPil:
    return Qwen2VLImageProcessorPil(
        patch_size=PATCH,
        merge_size=MERGE,
        temporal_patch_size=2,
        size={"shortest_edge": SIDE * SIDE, "longest_edge": 64 * SIDE * SIDE},
        image_mean=[0.5, 0.5, 0.5],
        image_std=[0.5, 0.5, 0.5],
    )


def png(width: int, height: int, seed: int) -> bytes:
    noise = random.Random(seed).randbytes(width * height * 3)
    out = io.BytesIO()
    Image.frombytes("RGB", (width, height), noise).save(out, "PNG")
    return out.getvalue()


SIZES = {"a": (48, 32), "b": (32, 32), "c": (64, 48), "d": (48, 32), "e": (16, 80)}
"""Width and height of pictures by address."""

PICTURES = {address: png(*size, seed) for seed, (address, size) in enumerate(SIZES.items())}


def tokens_of(address: str) -> int:
    width, height = SIZES[address]
    return (width // SIDE) * (height // SIDE)


def sample(
    seed: int, pictures: str = "", *, text: int = 5, sampled: int = 4, weight: float = 1.0, temperature: float = 1.0
) -> Sample:
    """A prompt with text before each picture and after the last, then a reply."""
    rng = random.Random(seed)
    prompt = words(rng, text)
    for address in pictures:
        prompt += [START, *[IMAGE] * tokens_of(address), END, *words(rng, text)]
    weights = [weight * (1 + number / 7) for number in range(sampled)]
    return Sample(
        attempt_id=f"attempt-{seed // 3}",
        group=f"group-{seed // 6}",
        step=seed % 3,
        prompt=array("i", prompt).tobytes(),
        pictures=tuple(pictures),
        sampled=array("i", words(rng, sampled)).tobytes(),
        logprobs=array("f", [-rng.uniform(0.1, 3) for _ in range(sampled)]).tobytes(),
        versions=array("i", [0] * sampled).tobytes(),
        weights=array("f", weights).tobytes(),
        advantage=weight,
        temperature=temperature,
    )


def words(rng: random.Random, count: int) -> list[int]:
    return [rng.randrange(0, 180) for _ in range(count)]


def samples() -> list[Sample]:
    """Rows with no, one and several pictures, of one and of several sizes, some of them shared."""
    return [
        sample(1, "ab", text=3, sampled=5),
        sample(2, "", text=9, sampled=2, weight=-0.5),
        sample(3, "cab", text=4, sampled=7, weight=-1.5, temperature=0.7),
        sample(4, "e", text=1, sampled=1, weight=0.3),
        sample(5, "dabc", text=6, sampled=3),
    ]


def folder(path: Path, seed: int = 0, **choices: object) -> Path:
    """A checkpoint as transformers writes it."""
    published(seed, **choices).save_pretrained(path)
    processor().save_pretrained(path)
    return path


def trainer(
    path: Path, *, recipe: Recipe | None = None, fetch: Bytes | None = None, **settings: object
) -> ModelTrainer:
    """In float32 on the processor, unless told otherwise."""
    chosen = TrainerSettings(**{"device": "cpu", "precision": "float32", "tokens": 64} | settings)
    return open_trainer(str(path), recipe or recipe_of(), chosen, fetch or PICTURES.__getitem__)


def recipe_of(*, lr: float = 1e-3, minibatches: int = 1, epochs: int = 1, **loss: object) -> Recipe:
    return Recipe(
        source=GroupSource(),
        loss=LossSettings(**loss),
        optimizer=Optimizer(lr=lr),
        updates=Updates(minibatches=minibatches, epochs=epochs),
    )


def batch(chosen: Sequence[Sample] | None = None, version: int = 0) -> Batch:
    return Batch(tuple(samples() if chosen is None else chosen), version)


def weights(model: torch.nn.Module) -> dict[str, torch.Tensor]:
    return {name: weight.detach().clone() for name, weight in model.named_parameters()}
