"""Load models from checkpoint folders, and save them."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from webgym.errors import ModelError, TokenizerMismatch
from webgym.train.checkpoint_files import find_model, read_tensors, write_model
from webgym.train.distributed_tensors import fill, full_tensor
from webgym.train.lora import is_lora, merged
from webgym.train.model import PackedModel
from webgym.train.shape import Shape, shape_of
from webgym.train.typed import wait_for_all

HEAD = "lm_head.weight"


@dataclass(frozen=True, slots=True)
class PublishedModel:
    """A model checkpoint with its parsed config."""

    folder: Path
    config: Any
    shape: Shape


def published(name: str) -> PublishedModel:
    """Find a checkpoint by folder or Hub name, and check it before anything large is read.

    Raises:
        ModelError: Files are missing, or it is of another architecture.
        TokenizerMismatch: Its tokenizer does not fit its vocabulary.
    """
    from transformers import Qwen3VLConfig  # noqa: PLC0415  slow to import

    folder = find_model(name)
    try:
        config = Qwen3VLConfig.from_pretrained(folder)
    except (OSError, ValueError, TypeError) as error:
        raise ModelError(f"{folder / 'config.json'} cannot be read: {error}") from None
    shape = shape_of(config)
    check_tokenizer(folder, shape)
    return PublishedModel(folder, config, shape)


def check_tokenizer(folder: Path, shape: Shape) -> None:
    """Check that the tokenizer in a folder, if there is one, fits a model.

    Raises:
        ModelError: It cannot be read.
        TokenizerMismatch: It has ids beyond the model's vocabulary, or no image token.
    """
    path = folder / "tokenizer.json"
    if not path.is_file():
        return
    from tokenizers import Tokenizer  # noqa: PLC0415  slow to import

    try:
        tokenizer: Any = Tokenizer.from_file(str(path))
    except Exception as error:  # noqa: BLE001  the library raises nothing narrower
        raise ModelError(f"{path} cannot be read: {error}") from None
    most = max(tokenizer.get_vocab(with_added_tokens=True).values(), default=-1)
    if most >= shape.text.vocabulary:
        raise TokenizerMismatch(
            f"{path} has the token {most}, outside the model's vocabulary of {shape.text.vocabulary}"
        )
    if tokenizer.id_to_token(shape.image_token) is None:
        raise TokenizerMismatch(f"{path} has no token {shape.image_token}, which stands for pictures")


def image_processor(folder: Path) -> Any:
    """Return the model's image processor, which turns images into patches.

    Raises:
        ModelError: Its config is missing.
    """
    if not (folder / "preprocessor_config.json").is_file() and not (folder / "processor_config.json").is_file():
        raise ModelError(f"{folder} lacks preprocessor_config.json")
    try:
        from transformers.models.qwen2_vl.image_processing_pil_qwen2_vl import (  # noqa: PLC0415  slow to import
            Qwen2VLImageProcessorPil as Processor,
        )
    except ImportError:
        from transformers import AutoImageProcessor as Processor  # noqa: PLC0415  releases without one for Pillow
    return Processor.from_pretrained(folder)


def read_weights(model: PackedModel, folder: Path) -> None:
    """Load the weights in a folder into a model.

    An output matrix tied to the embedding is never read: its copy in the file may be stale.

    Raises:
        ModelError: Names or shapes of the weights are not those of the model.
    """
    waiting = {name: weight for name, weight in model.named_parameters() if not is_lora(name)}
    for name, tensor in read_tensors(folder):
        if name == HEAD and model.lm_head is None:
            continue
        weight = waiting.pop(name, None)
        if weight is None:
            raise ModelError(f"{folder} has weights that do not belong to the model: {name}")
        if weight.shape != tensor.shape:
            raise ModelError(f"{name} in {folder} is {tuple(tensor.shape)}, the model needs {tuple(weight.shape)}")
        fill(weight, tensor)
    if waiting:
        raise ModelError(f"{folder} lacks {len(waiting)} weights, {next(iter(waiting))} among them")


def save_weights(model: PackedModel, config: Any, folder: Path, carried_from: Path | None = None) -> str:
    """Write a bfloat16 checkpoint that transformers and inference servers load; return the digest of its weights.

    All ranks must call it; rank 0 writes.
    """
    tensors = _narrow(model)
    if torch.distributed.is_initialized() and torch.distributed.get_rank():
        for _ in tensors:
            pass
        wait_for_all()
        return ""
    config.dtype = "bfloat16"
    found = write_model(folder, config, tensors, carried_from)
    if torch.distributed.is_initialized():
        wait_for_all()
    return found


def _narrow(model: PackedModel) -> Iterator[tuple[str, Tensor]]:
    for name, tensor in merged(model):
        yield name, full_tensor(tensor).to("cpu", torch.bfloat16).contiguous()
