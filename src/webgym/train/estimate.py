"""What a run will need, before it starts: memory, time and disk, and a refusal if there is not enough."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import torch

from webgym.errors import DoesNotFit
from webgym.records.base import Record
from webgym.train.logprobs import CHUNK
from webgym.train.settings import TrainerSettings
from webgym.train.shape import Shape, TextShape, VisionShape

GB = 1e9
USUAL_SHARE = 0.35
"""Of a GPU's matrix products per second, that end up in the model."""
PROCESSOR_SHARE = 0.8
"""Likewise of a processor's, which has less to wait for."""
_SLACK = 1.15
"""What comes and goes leaves gaps."""


class Memory(Record, frozen=True, omit_defaults=False):
    """Bytes in one process."""

    weights: int
    """Those of a reference included."""
    gradients: int
    moments: int
    activations: int
    """Kept from the way there for the way back."""
    transient: int
    """The largest layer and a chunk of logits, while they are computed."""

    @property
    def total(self) -> int:
        return self.weights + self.gradients + self.moments + int(_SLACK * (self.activations + self.transient))


@dataclass(frozen=True, slots=True)
class Work:
    """What there is to learn from, on average."""

    rows: int
    """In a batch."""
    tokens: float
    """In a row, those of pictures included."""
    patches: float
    """In a row; pictures that rows share count once."""
    batches: int = 1
    epochs: int = 1
    proximal: bool = True
    """Whether log probabilities are computed before the first update."""
    reference: bool = False
    """Whether they are computed with the first weights too, which a divergence from them needs."""


class Estimate(Record, frozen=True, omit_defaults=False):
    """Of a whole run."""

    parameters: int
    learning: int
    """Parameters that move."""
    memory: Memory
    seconds: float
    checkpoint_bytes: int
    disk_bytes: int


def estimate(
    shape: Shape,
    settings: TrainerSettings,
    work: Work,
    *,
    processes: int = 1,
    speed: float = 0.0,
    share: float = USUAL_SHARE,
    keep: int = 2,
) -> Estimate:
    """`speed`: matrix products of one device, in floating-point operations per second; 0: not known.

    `share`: what of it ends up in the model.
    """
    learning = learning_parameters(shape, settings)
    checkpoint = learning * (4 + _moment_bytes(settings))
    seconds = operations(shape, settings, work) / (speed * share * processes) if speed else 0.0
    return Estimate(
        parameters=shape.parameters,
        learning=learning,
        memory=memory(shape, settings, processes, reference=work.reference),
        seconds=seconds,
        checkpoint_bytes=checkpoint,
        # One more of each while the new one is written; and of weights also the last evaluated and the best.
        disk_bytes=(keep + 1) * checkpoint + (max(2, keep) + 3) * 2 * shape.parameters,
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
    """Of one process in a step; `reference`: with a second model that does not learn."""
    learning = learning_parameters(shape, settings)
    width = 4 if settings.precision == "float32" else 2
    frozen = shape.parameters - learning if settings.lora is None else shape.parameters
    # Spread over processes, what does not learn is as wide as what does; a reference does not learn at all.
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
    """Bytes that a pass of this size keeps for the way back."""
    text, vision = shape.text, shape.vision
    again, seen_again = round(settings.recompute * text.layers), round(settings.recompute_vision * vision.layers)
    per_token = again * text.width + (text.layers - again) * kept_text(text)
    per_patch = seen_again * vision.width + (vision.layers - seen_again) * kept_vision(vision)
    if not settings.train_vision:
        per_patch = 0
    return (4 if settings.precision == "float32" else 2) * (tokens * per_token + patches * per_patch)


def kept_text(shape: TextShape) -> int:
    """Numbers that one layer keeps of a token if it is not computed again."""
    heads = (shape.heads + shape.kv_heads) * shape.head_width
    return 4 * shape.width + 3 * heads + 2 * shape.mlp


def kept_vision(shape: VisionShape) -> int:
    """Likewise, of a patch."""
    return 10 * shape.width + 2 * shape.mlp


def operations(shape: Shape, settings: TrainerSettings, work: Work) -> float:
    """Of all batches, attention not counted. Twice the parameters there, four times back, twice to compute again."""
    passes = 6 * work.epochs + 2 * (work.proximal + work.reference)
    text = shape.text.layers * shape.text.layer_parameters * (passes + 2 * settings.recompute * work.epochs)
    vision = shape.vision_parameters * (passes + 2 * settings.recompute_vision * work.epochs)
    return work.batches * work.rows * (work.tokens * text + work.patches * vision)


def fitted(
    shape: Shape, settings: TrainerSettings, room: int, processes: int = 1, *, reference: bool = False
) -> TrainerSettings:
    """The same settings, with as few layers computed again as `room` bytes of memory allow.

    Raises:
        DoesNotFit: Not even all of them computed again fit.
    """
    for changed in _thriftier(shape, settings):
        if memory(shape, changed, processes, reference=reference).total <= room:
            return changed
    thriftiest = settings.model_copy(update={"recompute": 1.0, "recompute_vision": 1.0})
    raise _too_much_memory(memory(shape, thriftiest, processes, reference=reference), room)


def fitted_to_pass(shape: Shape, settings: TrainerSettings, tokens: int, patches: int) -> TrainerSettings:
    """The same settings, with as few layers computed again as let a pass of this size keep no more than a full one.

    Rows differ in length: what the longest needs, most of the others do not.
    """
    full = _activations(shape, settings, settings.tokens, settings.patches)
    for changed in _thriftier(shape, settings):
        if _activations(shape, changed, tokens, patches) <= full:
            return changed
    return settings


def _thriftier(shape: Shape, settings: TrainerSettings) -> Iterator[TrainerSettings]:
    """More and more layers computed again, the cheap ones first.

    A patch of the vision tower is computed again in fewer operations for each byte than a token of text.
    """
    pairs = [(0.0, part / shape.vision.layers) for part in range(shape.vision.layers)]
    pairs += [(part / shape.text.layers, 1.0) for part in range(shape.text.layers + 1)]
    for text, vision in pairs:
        yield settings.model_copy(update={"recompute": text, "recompute_vision": vision})


def check(found: Estimate, *, room: int | None, folder: Path | None, written: int = 0) -> None:
    """Refuse a run that cannot end well.

    Args:
        found: What it needs.
        room: Bytes of memory of a device.
        folder: Where checkpoints go.
        written: Bytes of what is needed that lie there already, from before the run was interrupted.

    Raises:
        DoesNotFit: There is not enough memory or disk.
    """
    if room is not None and found.memory.total > room:
        raise _too_much_memory(found.memory, room)
    if folder is not None:
        free = shutil.disk_usage(_existing(folder)).free
        if found.disk_bytes - written > free:
            needed = f"{(found.disk_bytes - written) / GB:.1f} GB of disk are needed for checkpoints and weights"
            raise DoesNotFit(f"{needed}, {free / GB:.1f} GB are free at {folder}: keep fewer, or use lora")


def device_memory(device: torch.device) -> int | None:
    """Bytes that are free on a device; None: not known."""
    return torch.cuda.mem_get_info(device)[0] if device.type == "cuda" else None


def _too_much_memory(needed: Memory, room: int) -> DoesNotFit:
    parts = ", ".join(
        f"{getattr(needed, name) / GB:.1f} for {name}"
        for name in ("weights", "gradients", "moments", "activations", "transient")
    )
    return DoesNotFit(
        f"{needed.total / GB:.1f} GB of memory are needed ({parts}), {room / GB:.1f} GB are there: fewer `tokens` and "
        "`patches` in a pass, `recompute` 1, `first_moment` bfloat16, lora, or more `trainer.processes`, each "
        "with a GPU of its own, would help"
    )


def _existing(folder: Path) -> Path:
    return next(path for path in (folder, *folder.absolute().parents) if path.exists())
