"""Image normalization and colour augmentation."""

# pyright: reportUnknownMemberType=false

from __future__ import annotations

import torch
from torch import Tensor

_DULLER, _SHIFT, _INVERTED, _SWAPPED = 0.35, 0.25, 0.12, 0.3


def scaled(pictures: Tensor, dtype: torch.dtype = torch.float32) -> Tensor:
    """Scale uint8 pixels to -1 to 1."""
    return pictures.to(dtype) / 127.5 - 1


def recoloured(pictures: Tensor, generator: torch.Generator) -> Tensor:
    """Vary contrast and brightness per channel; invert some images, swap the channels of others.

    Takes [images, height, width, 3] from -1 to 1. Unseen websites have other colours, too.
    """
    count, device, dtype = len(pictures), pictures.device, pictures.dtype

    def random(*shape: int) -> Tensor:
        return torch.rand(count, *shape, generator=generator)

    contrast = 1 - _DULLER * random(1, 1, 3)
    contrast = torch.where(random(1, 1, 1) < _INVERTED, -contrast, contrast)
    shift = _SHIFT * (random(1, 1, 3) - 0.5)
    order = torch.where(random(1) < _SWAPPED, random(3).argsort(1), torch.arange(3))
    swapped = pictures.gather(3, order.to(device)[:, None, None].expand_as(pictures))
    return torch.clamp(swapped * contrast.to(device, dtype) + shift.to(device, dtype), -1, 1)
