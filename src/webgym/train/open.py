"""Build a trainer from a model name, a recipe and settings."""

from __future__ import annotations

import torch

from webgym.train.device import device_of
from webgym.train.distributed_tensors import processes
from webgym.train.images import Bytes, PatchCache
from webgym.train.load import PublishedModel, image_processor, published, read_weights
from webgym.train.lora import add_lora, start_lora
from webgym.train.model import PackedModel
from webgym.train.optimizer import DTYPES
from webgym.train.pack_loader import PackLoader
from webgym.train.packing import PassBudget
from webgym.train.recipe import Recipe
from webgym.train.settings import TrainerSettings
from webgym.train.shape import Shape
from webgym.train.shard import shard
from webgym.train.trainer import ModelTrainer


def open_trainer(model: str, recipe: Recipe, settings: TrainerSettings, fetch: Bytes) -> ModelTrainer:
    """Open a trainer of a checkpoint in a folder or on the Hub; `fetch` returns the encoded bytes of an image.

    Within a process group the model is sharded over its ranks.

    Raises:
        ModelError: Files are missing, or it is of another architecture.
        TokenizerMismatch: Its tokenizer does not fit it.
        ConfigError: The settings cannot work.
    """
    source = published(model)
    settings, device = settled(settings), device_of(settings)
    learner = _read(source, settings, device)
    reference = None
    if recipe.loss.kl:
        frozen = settings.model_copy(update={"lora": None, "compile": False})
        reference = _read(source, frozen, device, learns=False)
    dtype = DTYPES[settings.precision]
    gallery = PatchCache(
        fetch, image_processor(source.folder), source.shape.vision, dtype=dtype, most_bytes=settings.picture_cache
    )
    budget = PassBudget(settings.tokens, settings.patches)
    loader = PackLoader(gallery, source.shape, budget, device)
    return ModelTrainer(learner, loader, recipe, settings, source=source, reference=reference)


def settled(settings: TrainerSettings) -> TrainerSettings:
    """Resolve the settings that depend on the device."""
    if settings.precision != "auto":
        return settings
    precision = "bfloat16" if device_of(settings).type == "cuda" else "float32"
    return settings.model_copy(update={"precision": precision})


def build(shape: Shape, settings: TrainerSettings, device: torch.device, *, learns: bool = True) -> PackedModel:
    """Build a model with uninitialized weights; all of it is frozen unless it `learns`."""
    with torch.device("meta"):
        model = PackedModel(shape, DTYPES[settings.precision])
        if settings.lora is not None:
            add_lora(model, settings.lora)
    if not learns:
        model.requires_grad_(False)
    elif not settings.train_vision:
        model.model.visual.requires_grad_(False)
    model.save_memory(text=settings.recompute, vision=settings.recompute_vision if settings.train_vision else 0.0)
    if settings.compile:
        model.compile_layers()
    if processes() == 1 or not learns:
        # FSDP gathers weights of one dtype only: in a sharded model all are in the compute dtype, or none.
        _narrow_frozen(model)
    if processes() > 1:
        shard(model, device)
    return model.to_empty(device=device)


def _narrow_frozen(model: PackedModel) -> None:
    """Cast frozen weights to the compute dtype: only trainable ones need float32."""
    for weight in model.parameters():
        if not weight.requires_grad:
            weight.data = weight.data.to(model.dtype)


def _read(
    source: PublishedModel, settings: TrainerSettings, device: torch.device, *, learns: bool = True
) -> PackedModel:
    model = build(source.shape, settings, device, learns=learns)
    read_weights(model, source.folder)
    start_lora(model, settings.seed)
    return model
