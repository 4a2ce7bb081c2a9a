"""Estimates of the memory, time and disk that a run needs, and a check that they are there before it starts."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import msgspec
import torch

from webgym.errors import DoesNotFit
from webgym.records.base import Record
from webgym.train.logprobs import CHUNK
from webgym.train.settings import TrainerSettings
from webgym.train.shape import Shape, TextShape, VisionShape

GB = 1e9
USUAL_SHARE = 0.35
"""Typical model FLOPs utilization of a GPU, relative to its measured matmul throughput."""
PROCESSOR_SHARE = 0.8
"""The same for a CPU, which stalls less."""
_SLACK = 1.15
"""Allowance for memory fragmentation by short-lived tensors."""


class Memory(Record, frozen=True, omit_defaults=False):
    """Bytes needed by one process."""

    weights: int
    """Including those of the reference model, if there is one."""
    gradients: int
    moments: int
    activations: int
    """Saved in the forward pass for the backward pass."""
    transient: int
    """Peak of the largest layer or a chunk of logits while it is computed."""

    @property
    def total(self) -> int:
        return self.weights + self.gradients + self.moments + int(_SLACK * (self.activations + self.transient))


@dataclass(frozen=True, slots=True)
class Work:
    """Average workload of training."""

    rows: int
    """Rows per batch."""
    tokens: float
    """Tokens per row, including image tokens."""
    patches: float
    """Patches per row; images shared between rows count once."""
    batches: int = 1
    epochs: int = 1
    proximal: bool = True
    """Whether proximal log probabilities are computed before the first update."""
    reference: bool = False
    """Whether log probabilities of a reference model are computed, for a KL term."""
    average: bool = False
    """Whether a moving average of the weights is kept, in float32, and saved with every version."""


class ResourceEstimate(Record, frozen=True, omit_defaults=False):
    """Resources needed for the given `Work`."""

    parameters: int
    learning: int
    """Trainable parameters."""
    memory: Memory
    seconds: float
    checkpoint_bytes: int
    disk_bytes: int


@dataclass(frozen=True, slots=True)
class DiskRetention:
    """What a run keeps on disk."""

    newest: int = 2
    """Checkpoints, and published weights."""
    deferred: int = 0
    """Weights that wait for an evaluation to be made later."""

    @property
    def checkpoints(self) -> int:
        """Checkpoints on disk at most: one more while a new one is written."""
        return self.newest + 1

    @property
    def weights(self) -> int:
        """Published weights on disk at most: also the last evaluated, the best, and one that is being written."""
        return max(2, self.newest) + 3 + self.deferred


def estimate(
    shape: Shape,
    settings: TrainerSettings,
    work: Work,
    *,
    processes: int = 1,
    speed: float = 0.0,
    share: float = USUAL_SHARE,
    kept: DiskRetention = DiskRetention(),
) -> ResourceEstimate:
    """Estimate memory, time and disk.

    `speed` is the matmul throughput of one device in FLOP/s (0: unknown), `share` the fraction of it that is achieved.
    """
    learning = learning_parameters(shape, settings)
    averaged = 4 * learning if work.average else 0
    checkpoint = learning * (4 + _moment_bytes(settings)) + averaged
    held = memory(shape, settings, processes, reference=work.reference)
    seconds = operations(shape, settings, work) / (speed * share * processes) if speed else 0.0
    return ResourceEstimate(
        parameters=shape.parameters,
        learning=learning,
        memory=msgspec.structs.replace(held, weights=held.weights + averaged // processes),
        seconds=seconds,
        checkpoint_bytes=checkpoint,
        disk_bytes=kept.checkpoints * checkpoint + kept.weights * (1 + work.average) * 2 * shape.parameters,
    )


def learning_parameters(shape: Shape, settings: TrainerSettings) -> int:
    if settings.lora is not None:
        return _lora_parameters(shape, settings.lora.rank, settings.lora.targets)
    return shape.parameters - (0 if settings.train_vision else shape.vision_parameters)


def _lora_parameters(shape: Shape, rank: int, targets: tuple[str, ...]) -> int:
    text, vision = shape.text, shape.vision
    heads, kv = text.heads * text.head_width, text.kv_heads * text.head_width
    sides = {
        "q_proj": text.width + heads,
        "k_proj": text.width + kv,
        "v_proj": text.width + kv,
        "o_proj": text.width + heads,
        "gate_proj": text.width + text.mlp,
        "up_proj": text.width + text.mlp,
        "down_proj": text.width + text.mlp,
    }
    seeing = {"qkv": 4 * vision.width, "proj": 2 * vision.width}
    of_text = sum(sides.get(name, 0) for name in targets) * text.layers
    return rank * (of_text + sum(seeing.get(name, 0) for name in targets) * vision.layers)


def _moment_bytes(settings: TrainerSettings) -> int:
    return sum(4 if kept == "float32" else 2 for kept in (settings.first_moment, settings.second_moment))


def memory(shape: Shape, settings: TrainerSettings, processes: int = 1, *, reference: bool = False) -> Memory:
    """Return what one process needs during a step; `reference`: with a frozen reference model."""
    learning = learning_parameters(shape, settings)
    width = 4 if settings.precision == "float32" else 2
    frozen = shape.parameters - learning if settings.lora is None else shape.parameters
    # In a sharded model frozen weights are float32 like the trainable ones; a reference model is frozen as a whole.
    still = frozen * (width if processes == 1 else 4) + (width * shape.parameters if reference else 0)
    text, vision = shape.text, shape.vision
    transient_text = settings.tokens * kept_text(text) * width + text.layer_parameters * (width + 4)
    logits = CHUNK * text.vocabulary * 12 + text.embedding_parameters * (width + 4)
    seen = settings.patches * kept_vision(vision) * width
    return Memory(
        weights=(4 * learning + still) // processes,
        gradients=4 * learning // processes,
        moments=_moment_bytes(settings) * learning // processes,
        activations=_activations(shape, settings, settings.tokens, settings.patches),
        transient=max(transient_text, logits, seen),
    )


def _activations(shape: Shape, settings: TrainerSettings, tokens: int, patches: int) -> int:
    """Return the bytes of activations that a forward pass of this size saves for the backward pass."""
    text, vision = shape.text, shape.vision
    again, seen_again = round(settings.recompute * text.layers), round(settings.recompute_vision * vision.layers)
    per_token = again * text.width + (text.layers - again) * kept_text(text)
    per_patch = seen_again * vision.width + (vision.layers - seen_again) * kept_vision(vision)
    if not settings.train_vision:
        per_patch = 0
    return (4 if settings.precision == "float32" else 2) * (tokens * per_token + patches * per_patch)


def kept_text(shape: TextShape) -> int:
    """Return the activation elements that one layer saves per token without recomputation."""
    heads = (shape.heads + shape.kv_heads) * shape.head_width
    return 4 * shape.width + 3 * heads + 2 * shape.mlp


def kept_vision(shape: VisionShape) -> int:
    """Return the activation elements that one vision block saves per patch without recomputation."""
    return 10 * shape.width + 2 * shape.mlp


def operations(shape: Shape, settings: TrainerSettings, work: Work) -> float:
    """Return the FLOPs of all batches, without attention and logits.

    Per parameter and token: 2 in the forward pass, 4 in the backward pass, 2 to recompute activations.
    """
    passes = 6 * work.epochs + 2 * (work.proximal + work.reference)
    text = shape.text.layers * shape.text.layer_parameters * (passes + 2 * settings.recompute * work.epochs)
    vision = shape.vision_parameters * (passes + 2 * settings.recompute_vision * work.epochs)
    return work.batches * work.rows * (work.tokens * text + work.patches * vision)


def fitted(
    shape: Shape, settings: TrainerSettings, room: int, processes: int = 1, *, reference: bool = False
) -> TrainerSettings:
    """Return the settings that recompute as few layers as fit into `room` bytes of memory.

    Raises:
        DoesNotFit: It does not fit even if all layers are recomputed.
    """
    for changed in _thriftier(shape, settings):
        if memory(shape, changed, processes, reference=reference).total <= room:
            return changed
    thriftiest = settings.model_copy(update={"recompute": 1.0, "recompute_vision": 1.0})
    raise _too_much_memory(memory(shape, thriftiest, processes, reference=reference), room)


def fitted_to_pass(shape: Shape, settings: TrainerSettings, tokens: int, patches: int) -> TrainerSettings:
    """Return the settings that recompute as few layers as keep a pass within the activation memory of a full one.

    Passes differ in size: most can recompute less than the largest.
    """
    full = _activations(shape, settings, settings.tokens, settings.patches)
    for changed in _thriftier(shape, settings):
        if _activations(shape, changed, tokens, patches) <= full:
            return changed
    return settings


def _thriftier(shape: Shape, settings: TrainerSettings) -> Iterator[TrainerSettings]:
    """Yield settings that recompute more and more layers, the cheapest first.

    The vision tower comes first: it takes fewer FLOPs to recompute per byte saved than the language model.
    """
    pairs = [(0.0, part / shape.vision.layers) for part in range(shape.vision.layers)]
    pairs += [(part / shape.text.layers, 1.0) for part in range(shape.text.layers + 1)]
    for text, vision in pairs:
        yield settings.model_copy(update={"recompute": text, "recompute_vision": vision})


def check(found: ResourceEstimate, *, room: int | None, folder: Path | None, written: int = 0) -> None:
    """Refuse a run that does not fit.

    Args:
        found: What the run needs.
        room: Free bytes of device memory; None: unknown.
        folder: Where checkpoints go.
        written: Bytes of `disk_bytes` already on disk, from before the run was interrupted.

    Raises:
        DoesNotFit: There is not enough memory or disk.
    """
    if room is not None and found.memory.total > room:
        raise _too_much_memory(found.memory, room)
    if folder is not None:
        free = shutil.disk_usage(_existing(folder)).free
        if found.disk_bytes - written > free:
            needed = f"{(found.disk_bytes - written) / GB:.1f} GB of disk are needed for checkpoints and weights"
            raise DoesNotFit(f"{needed}, {free / GB:.1f} GB are free at {folder}: keep fewer checkpoints, or use lora")


def device_memory(device: torch.device) -> int | None:
    """Return the free bytes of device memory; None: unknown."""
    return torch.cuda.mem_get_info(device)[0] if device.type == "cuda" else None


def _too_much_memory(needed: Memory, room: int) -> DoesNotFit:
    parts = ", ".join(
        f"{getattr(needed, name) / GB:.1f} for {name}"
        for name in ("weights", "gradients", "moments", "activations", "transient")
    )
    return DoesNotFit(
        f"{needed.total / GB:.1f} GB of memory are needed ({parts}), {room / GB:.1f} GB are free: try fewer `tokens` "
        "and `patches` in a pass, `recompute` 1, `first_moment` bfloat16, lora, or more `trainer.processes`, each "
        "with a GPU of its own"
    )


def _existing(folder: Path) -> Path:
    return next(path for path in (folder, *folder.absolute().parents) if path.exists())
