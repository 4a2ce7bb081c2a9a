"""The vision tower over the patches of many images at once."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn
from torch.nn import functional

from webgym.errors import ModelError
from webgym.train.attention import Segments, attend
from webgym.train.layers import Embedding, LayerNorm, Linear, linear, rotate
from webgym.train.packing import PackedImages
from webgym.train.shape import VisionShape
from webgym.train.typed import recomputed

_ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "gelu": functional.gelu,
    "gelu_pytorch_tanh": lambda x: functional.gelu(x, approximate="tanh"),
    "silu": functional.silu,
}


class VisionModel(nn.Module):
    """Maps patches to token features: those for the embedding, then those of each deepstack layer."""

    def __init__(self, shape: VisionShape) -> None:
        super().__init__()
        self.shape = shape
        self.patch_embed = PatchEmbedding(shape)
        self.pos_embed = Embedding(shape.side**2, shape.width)
        self.blocks = nn.ModuleList(VisionBlock(shape) for _ in range(shape.layers))
        self.merger = PatchMerger(shape, late_norm=False)
        self.deepstack_merger_list = nn.ModuleList(PatchMerger(shape, late_norm=True) for _ in shape.deepstack)

    def forward(self, pictures: PackedImages, dtype: torch.dtype) -> list[Tensor]:
        learned = (self.pos_embed(pictures.taps) * pictures.shares[..., None]).sum(1).index_select(0, pictures.places)
        x = self.patch_embed(pictures.patches.to(dtype)) + learned.to(dtype)
        angles = self._angles(pictures.at)
        features: list[Tensor] = []
        for number, block in enumerate(self.blocks):
            x = block(x, *angles, pictures.within)
            if number in self.shape.deepstack:
                features.append(self.deepstack_merger_list[self.shape.deepstack.index(number)](x))
        return [self.merger(x), *features]

    def _angles(self, at: Tensor) -> tuple[Tensor, Tensor]:
        """Half of the rotary frequencies are for the row, half for the column."""
        half = self.shape.width // self.shape.heads // 2
        frequencies = _frequencies(self.shape.theta, half, at.device)
        angles = (at[..., None].float() * frequencies).flatten(1)
        return angles.cos(), angles.sin()


class PatchEmbedding(nn.Module):
    """Patch embedding, as a matmul: that is what a convolution with stride equal to its kernel size amounts to."""

    def __init__(self, shape: VisionShape) -> None:
        super().__init__()
        self.proj = PatchKernel(shape)

    def forward(self, patches: Tensor) -> Tensor:
        return self.proj(patches)


class PatchKernel(nn.Module):
    """The weights of the convolution. All frames show the same image, so they are summed over frames first."""

    def __init__(self, shape: VisionShape) -> None:
        super().__init__()
        sides = (shape.channels, shape.frames, shape.patch, shape.patch)
        self.weight = nn.Parameter(torch.empty(shape.width, *sides))
        self.bias = nn.Parameter(torch.empty(shape.width))

    def forward(self, patches: Tensor) -> Tensor:
        return linear(patches, self.weight.sum(2).flatten(1), self.bias)


class VisionBlock(nn.Module):
    """Attention within each image, then an MLP."""

    def __init__(self, shape: VisionShape) -> None:
        super().__init__()
        self.norm1 = LayerNorm(shape.width)
        self.norm2 = LayerNorm(shape.width)
        self.attn = VisionAttention(shape)
        self.mlp = VisionMLP(shape)
        self.recompute = False

    def forward(self, x: Tensor, cosine: Tensor, sine: Tensor, within: Segments) -> Tensor:
        if self.recompute and torch.is_grad_enabled():
            return recomputed(self._run, x, cosine, sine, within)
        return self._run(x, cosine, sine, within)

    def _run(self, x: Tensor, cosine: Tensor, sine: Tensor, within: Segments) -> Tensor:
        query, key, value = self.ask(x, cosine, sine)
        return self.conclude(x, attend(query, key, value, within, causal=False))

    def ask(self, x: Tensor, cosine: Tensor, sine: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values."""
        return self.attn(self.norm1(x), cosine, sine)

    def conclude(self, x: Tensor, found: Tensor) -> Tensor:
        """Return the block's output, given that of attention."""
        x = x + self.attn.proj(found.flatten(1))
        return x + self.mlp(self.norm2(x))


class VisionAttention(nn.Module):
    """Projections of bidirectional attention between the patches of an image."""

    def __init__(self, shape: VisionShape) -> None:
        super().__init__()
        self.heads = shape.heads
        self.qkv = Linear(shape.width, 3 * shape.width, bias=True)
        self.proj = Linear(shape.width, shape.width, bias=True)

    def forward(self, x: Tensor, cosine: Tensor, sine: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values."""
        query, key, value = self.qkv(x).unflatten(-1, (3, self.heads, -1)).unbind(1)
        return rotate(query, cosine, sine), rotate(key, cosine, sine), value


class VisionMLP(nn.Module):
    """Up, activation, down."""

    def __init__(self, shape: VisionShape) -> None:
        super().__init__()
        if shape.activation not in _ACTIVATIONS:
            raise ModelError(f"the activation {shape.activation!r} is not supported")
        self.activation = _ACTIVATIONS[shape.activation]
        self.linear_fc1 = Linear(shape.width, shape.mlp, bias=True)
        self.linear_fc2 = Linear(shape.mlp, shape.width, bias=True)

    def forward(self, x: Tensor) -> Tensor:
        return self.linear_fc2(self.activation(self.linear_fc1(x)))


class PatchMerger(nn.Module):
    """Maps the concatenated patches of a token to its features."""

    def __init__(self, shape: VisionShape, *, late_norm: bool) -> None:
        super().__init__()
        self.wide = shape.width * shape.merge**2
        self.late_norm = late_norm
        self.norm = LayerNorm(self.wide if late_norm else shape.width)
        self.linear_fc1 = Linear(self.wide, self.wide, bias=True)
        self.linear_fc2 = Linear(self.wide, shape.out, bias=True)

    def forward(self, x: Tensor) -> Tensor:
        x = self.norm(x.view(-1, self.wide)) if self.late_norm else self.norm(x).view(-1, self.wide)
        return self.linear_fc2(functional.gelu(self.linear_fc1(x)))


def _frequencies(theta: float, width: int, device: torch.device) -> Tensor:
    return theta ** -(torch.arange(0, width, 2, device=device, dtype=torch.float32) / width)
