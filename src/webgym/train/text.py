"""The language model over rows packed into one sequence."""

from __future__ import annotations

import functools

import torch
from torch import Tensor, nn
from torch.nn import functional

from webgym.train.attention import Segments, attend
from webgym.train.layers import Embedding, Linear, RMSNorm, rotate, together
from webgym.train.shape import TextShape
from webgym.train.typed import recomputed


class TextModel(nn.Module):
    """Maps embeddings to hidden states; deepstack image features are added after the first layers."""

    def __init__(self, shape: TextShape) -> None:
        super().__init__()
        self.shape = shape
        self.embed_tokens = Embedding(shape.vocabulary, shape.width)
        self.layers = nn.ModuleList(TextLayer(shape) for _ in range(shape.layers))
        self.norm = RMSNorm(shape.width, shape.epsilon)

    def forward(
        self,
        x: Tensor,
        positions: Tensor,
        within: Segments,
        seen: list[Tensor],
        seen_at: Tensor | None,
        wanted: Tensor,
    ) -> Tensor:
        """Return the hidden states at `wanted` only: most tokens are only there to be attended to."""
        cosine, sine = self._angles(positions, x.dtype)
        last = len(self.layers) - 1
        # The last layer can drop the other tokens only if no image features are added after it.
        only = wanted if len(seen) <= last else None
        for number, layer in enumerate(self.layers):
            x = layer(x, cosine, sine, within, only if number == last else None)
            if seen_at is not None and number < len(seen):
                x = x + torch.zeros_like(x).index_copy(0, seen_at, seen[number])
        return x if only is not None else x.index_select(0, wanted)

    def _angles(self, positions: Tensor, dtype: torch.dtype) -> tuple[Tensor, Tensor]:
        """Interleaved M-RoPE: frequencies alternate between time, height and width; the slowest are all for time."""
        axis, frequencies = _turning(self.shape, positions.device)
        angles = positions[axis].t().float() * frequencies
        return angles.cos().to(dtype), angles.sin().to(dtype)


@functools.cache
def _turning(shape: TextShape, device: torch.device) -> tuple[Tensor, Tensor]:
    """Return the axis and the value of every frequency. Cached: a copy to the device would synchronize with it."""
    half = shape.head_width // 2
    number = torch.arange(half)
    axis = number % 3
    axis = torch.where(number < 3 * torch.tensor(shape.sections)[axis], axis, 0)
    return axis.to(device), (shape.theta ** -(number.float() / half)).to(device)


class TextLayer(nn.Module):
    """Causal attention within each row, then an MLP."""

    def __init__(self, shape: TextShape) -> None:
        super().__init__()
        self.self_attn = TextAttention(shape)
        self.mlp = TextMLP(shape)
        self.input_layernorm = RMSNorm(shape.width, shape.epsilon)
        self.post_attention_layernorm = RMSNorm(shape.width, shape.epsilon)
        self.recompute = False

    def forward(self, x: Tensor, cosine: Tensor, sine: Tensor, within: Segments, only: Tensor | None = None) -> Tensor:
        if self.recompute and torch.is_grad_enabled():
            return recomputed(self._run, x, cosine, sine, within, only)
        return self._run(x, cosine, sine, within, only)

    def _run(self, x: Tensor, cosine: Tensor, sine: Tensor, within: Segments, only: Tensor | None) -> Tensor:
        query, key, value = self.ask(x, cosine, sine)
        found = attend(query, key, value, within, causal=True)
        if only is not None:
            x, found = x.index_select(0, only), found.index_select(0, only)
        return self.conclude(x, found)

    def ask(self, x: Tensor, cosine: Tensor, sine: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values."""
        return self.self_attn(self.input_layernorm(x), cosine, sine)

    def conclude(self, x: Tensor, found: Tensor) -> Tensor:
        """Return the layer's output, given that of attention."""
        x = x + self.self_attn.o_proj(found.flatten(1))
        return x + self.mlp(self.post_attention_layernorm(x))


class TextAttention(nn.Module):
    """Projections of grouped-query attention, with normalized queries and keys."""

    def __init__(self, shape: TextShape) -> None:
        super().__init__()
        width, head = shape.width, shape.head_width
        self.head_width = head
        self.q_proj = Linear(width, shape.heads * head, bias=shape.bias)
        self.k_proj = Linear(width, shape.kv_heads * head, bias=shape.bias)
        self.v_proj = Linear(width, shape.kv_heads * head, bias=shape.bias)
        self.o_proj = Linear(shape.heads * head, width, bias=shape.bias)
        self.q_norm = RMSNorm(head, shape.epsilon)
        self.k_norm = RMSNorm(head, shape.epsilon)

    def forward(self, x: Tensor, cosine: Tensor, sine: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Return queries, keys and values."""
        heads = (-1, self.head_width)
        query, key, value = together(x, self.q_proj, self.k_proj, self.v_proj)
        query = rotate(self.q_norm(query.unflatten(-1, heads)), cosine, sine)
        key = rotate(self.k_norm(key.unflatten(-1, heads)), cosine, sine)
        return query, key, value.view(len(value), *heads)


class TextMLP(nn.Module):
    """SwiGLU MLP."""

    def __init__(self, shape: TextShape) -> None:
        super().__init__()
        self.gate_proj = Linear(shape.width, shape.mlp)
        self.up_proj = Linear(shape.width, shape.mlp)
        self.down_proj = Linear(shape.mlp, shape.width)
        self.thrifty = False
        """Whether the gated values are recomputed in the backward pass: they are as large as gate and up, and cheap."""

    def forward(self, x: Tensor) -> Tensor:
        # Not `together`: the compiler does not fuse what follows if gate and up are views of one tensor.
        gate, up = self.gate_proj(x), self.up_proj(x)
        if self.thrifty and torch.is_grad_enabled():
            return recomputed(self._down, gate, up)
        return self._down(gate, up)

    def _down(self, gate: Tensor, up: Tensor) -> Tensor:
        return self.down_proj(functional.silu(gate) * up)
