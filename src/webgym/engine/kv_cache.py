"""KV cache: one slot per running sequence, allocated once."""

from __future__ import annotations

import torch

from webgym.engine.shape import TextConfig


class KVCache:
    """The slots in use are always 0 to n - 1, so that a decode step reads them as one view, without copying."""

    def __init__(self, shape: TextConfig, count: int, length: int, device: torch.device, dtype: torch.dtype) -> None:
        heads, size = shape.num_key_value_heads, shape.head_dim
        self.count = count
        self.length = length
        """Capacity of a slot in tokens."""
        self._heads = heads
        whole = (shape.num_hidden_layers, count, heads, length, size)
        # Zeros, because masked values are still multiplied, and uninitialized memory may hold infinities.
        self.keys = list(torch.zeros(whole, device=device, dtype=dtype))
        self.values = list(torch.zeros(whole, device=device, dtype=dtype))
        """Per layer, like `keys`: [slots, heads, tokens, head_dim]."""
        self.filled = torch.zeros(count, device=device, dtype=torch.long)
        """Number of tokens in each slot."""
        self.mask = torch.full((count, length), float("-inf"), device=device, dtype=dtype)
        """Additive attention mask: 0 where there is a token, -inf elsewhere."""
        self._first = torch.arange(count * heads, device=device).view(count, heads) * length

    def rows(self, count: int) -> torch.Tensor:
        """Return the rows of the first slots' next token in a layer viewed as [slots · heads · tokens, head_dim]."""
        return (self._first[:count] + self.filled[:count, None]).flatten()

    def write(self, layer: int, rows: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> None:
        """Write one token of each of the first slots: [slots, heads, head_dim]."""
        size = keys.shape[-1]
        self.keys[layer].view(-1, size).index_copy_(0, rows, keys.reshape(-1, size))
        self.values[layer].view(-1, size).index_copy_(0, rows, values.reshape(-1, size))

    def advance(self, count: int) -> None:
        """Count one more token in each of the first slots."""
        self.mask[:count].scatter_(1, self.filled[:count, None], 0.0)
        self.filled[:count] += 1

    def fill(self, slot: int, tokens: int) -> None:
        """Mark a slot as holding this many tokens."""
        self.filled[slot] = tokens
        self.mask[slot, :tokens] = 0.0
        self.mask[slot, tokens:] = float("-inf")

    def move(self, source: int, target: int, tokens: int) -> None:
        """Copy the contents of one slot to another."""
        for cache in (*self.keys, *self.values):
            cache[target, :, :tokens].copy_(cache[source, :, :tokens])
        self.fill(target, tokens)

    def snapshot(self, slot: int, tokens: int) -> torch.Tensor:
        """Return a copy of a slot's keys and values: [layers, 2, heads, tokens, head_dim]."""
        both = zip(self.keys, self.values, strict=True)
        return torch.stack([torch.stack([k[slot, :, :tokens], v[slot, :, :tokens]]) for k, v in both])

    def restore(self, slot: int, kept: torch.Tensor, tokens: int) -> None:
        """Copy the first tokens of a snapshot into a slot."""
        for layer, (keys, values) in enumerate(zip(self.keys, self.values, strict=True)):
            keys[slot, :, :tokens].copy_(kept[layer, 0, :, :tokens])
            values[slot, :, :tokens].copy_(kept[layer, 1, :, :tokens])

    @property
    def bytes(self) -> int:
        """Bytes of keys and values."""
        return 2 * len(self.keys) * self.keys[0].numel() * self.keys[0].element_size()
