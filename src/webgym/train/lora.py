"""LoRA: trainable low-rank adapters on frozen weights, merged into them when saved."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import math
from collections.abc import Iterator

import torch
from torch import Tensor, nn

from webgym.errors import ConfigError
from webgym.train.distributed_tensors import fill
from webgym.train.layers import Linear, linear
from webgym.train.model import PackedModel
from webgym.train.settings import LoraSettings


class LoraLinear(Linear):
    """A frozen linear layer with a trainable low-rank update."""

    def __init__(self, base: Linear, settings: LoraSettings) -> None:
        nn.Module.__init__(self)
        outputs, inputs = base.weight.shape
        self.weight = base.weight.requires_grad_(False)
        self.bias = None if base.bias is None else base.bias.requires_grad_(False)
        self.scale = settings.alpha / settings.rank
        self.lora_a = nn.Parameter(torch.empty(settings.rank, inputs, device=base.weight.device))
        self.lora_b = nn.Parameter(torch.empty(outputs, settings.rank, device=base.weight.device))

    def forward(self, x: Tensor) -> Tensor:
        added = linear(linear(x, self.lora_a, None), self.lora_b, None)
        return linear(x, self.weight, self.bias) + added * self.scale

    def start(self, seed: int) -> None:
        """Initialize the adapter to add nothing: `lora_b` is zero."""
        generator = torch.Generator().manual_seed(seed)
        reach = 1 / math.sqrt(self.lora_a.shape[1])
        fill(self.lora_a, torch.empty(self.lora_a.shape).uniform_(-reach, reach, generator=generator))
        fill(self.lora_b, torch.zeros(self.lora_b.shape))


def add_lora(model: PackedModel, settings: LoraSettings) -> None:
    """Freeze a model and add adapters to the layers named in the settings.

    Raises:
        ConfigError: No layer has such a name.
    """
    model.requires_grad_(False)
    found = 0
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            if name in settings.targets and isinstance(child, Linear):
                setattr(parent, name, LoraLinear(child, settings))
                found += 1
    if not found:
        raise ConfigError(f"no layer is named {' or '.join(settings.targets)}")


def is_lora(name: str) -> bool:
    """Whether a parameter belongs to an adapter."""
    return name.endswith((".lora_a", ".lora_b"))


def start_lora(model: PackedModel, seed: int) -> None:
    """Initialize all adapters, deterministically for a seed."""
    adapted = [module for module in model.modules() if isinstance(module, LoraLinear)]
    for number, module in enumerate(adapted):
        module.start(seed + number)


def merged(model: PackedModel) -> Iterator[tuple[str, Tensor]]:
    """Yield the weights under their published names, with adapters merged in."""
    adapted = {name: module for name, module in model.named_modules() if isinstance(module, LoraLinear)}
    for name, weight in model.named_parameters():
        owner, _, own_name = name.rpartition(".")
        module = adapted.get(owner)
        if module is None:
            yield name, weight
        elif own_name == "weight":
            with torch.no_grad():
                yield name, weight + module.lora_b @ module.lora_a * module.scale
        elif own_name == "bias":
            yield name, weight
