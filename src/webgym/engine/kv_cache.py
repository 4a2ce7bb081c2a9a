"""Keys and values of the sequences that are being continued: one slot each, allocated once."""

from __future__ import annotations

import torch

from webgym.engine.shape import TextShape


class KVCache:
    """Slots 0 to n - 1 are in use and stand together, so that a step reads them as one view, without copying."""

    def __init__(self, shape: TextShape, count: int, length: int, device: torch.device, dtype: torch.dtype) -> None:
        heads, size = shape.num_key_value_heads, shape.head_dim
        self.count = count
        self.length = length
        """Tokens that a slot has room for."""
        self._heads = heads
        whole = (shape.num_hidden_layers, count, heads, length, size)
        # Zeros, because what is masked is still multiplied, and garbage may be infinite.
        self.keys = list(torch.zeros(whole, device=device, dtype=dtype))
        self.values = list(torch.zeros(whole, device=device, dtype=dtype))
        """For each layer: [slots, heads, tokens, size]."""
        self.filled = torch.zeros(count, device=device, dtype=torch.long)
        """Tokens in each slot."""
        self.mask = torch.full((count, length), float("-inf"), device=device, dtype=dtype)
        """0 where there is a token."""
        self._first = torch.arange(count * heads, device=device).view(count, heads) * length

    def rows(self, count: int) -> torch.Tensor:
        """Where the next token of the first slots goes, in a layer seen as [slots · heads · tokens, size]."""
        return (self._first[:count] + self.filled[:count, None]).flatten()

    def write(self, layer: int, rows: torch.Tensor, keys: torch.Tensor, values: torch.Tensor) -> None:
        """One token of each of the first slots: [slots, heads, size]."""
        size = keys.shape[-1]
        self.keys[layer].view(-1, size).index_copy_(0, rows, keys.reshape(-1, size))
        self.values[layer].view(-1, size).index_copy_(0, rows, values.reshape(-1, size))

    def advance(self, count: int) -> None:
        """One more token is in each of the first slots."""
        self.mask[:count].scatter_(1, self.filled[:count, None], 0.0)
        self.filled[:count] += 1

    def fill(self, slot: int, tokens: int) -> None:
        """A slot holds this many tokens."""
        self.filled[slot] = tokens
        self.mask[slot, :tokens] = 0.0
        self.mask[slot, tokens:] = float("-inf")

    def move(self, source: int, target: int, tokens: int) -> None:
        """What is in one slot goes to another."""
        for cache in (*self.keys, *self.values):
            cache[target, :, :tokens].copy_(cache[source, :, :tokens])
        self.fill(target, tokens)

    def snapshot(self, slot: int, tokens: int) -> torch.Tensor:
        """A copy of what is in a slot: [layers, 2, heads, tokens, size]."""
        both = zip(self.keys, self.values, strict=True)
        return torch.stack([torch.stack([k[slot, :, :tokens], v[slot, :, :tokens]]) for k, v in both])

    def restore(self, slot: int, kept: torch.Tensor, tokens: int) -> None:
        """The first tokens of a copy into a slot."""
        for layer, (keys, values) in enumerate(zip(self.keys, self.values, strict=True)):
            keys[slot, :, :tokens].copy_(kept[layer, 0, :, :tokens])
            values[slot, :, :tokens].copy_(kept[layer, 1, :, :tokens])

    @property
    def bytes(self) -> int:
        """That the keys and values take."""
        return 2 * len(self.keys) * self.keys[0].numel() * self.keys[0].element_size()
