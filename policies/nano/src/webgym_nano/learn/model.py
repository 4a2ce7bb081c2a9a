"""Nano in training: many segments per image, on the weights of a transformers model.

Computes the same as `Qwen3VLForConditionalGeneration` on each segment alone, but shares work: images, all of one size,
go through the vision tower as a batch, all segments of an image attend to its keys and values, and logits are computed
only where a reply token follows. Two small auxiliary heads help the vision tower to learn, and are not published.
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F  # noqa: N812 - as everyone calls it
from transformers import Qwen3VLForConditionalGeneration

from webgym_nano.config import NanoConfig
from webgym_nano.learn import geometry
from webgym_nano.learn.letters import CLASSES, SLOT_HEIGHT, SLOT_WIDTH
from webgym_nano.learn.words import Words

_EPS = 1e-6
_POINTER = 128

Remember = Callable[[int, Tensor, Tensor], tuple[Tensor, Tensor]]
"""KV cache update: takes the keys and values of a layer's new tokens, returns all that they may attend to."""


class Seen(NamedTuple):
    """Output of the vision tower."""

    patches: Tensor
    """[images, patches, size]"""
    tokens: Tensor
    """[images, tokens, size]"""
    deep: tuple[Tensor, ...]


def turned(states: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Apply rotary embeddings."""
    first, second = states.chunk(2, -1)
    return (states * cos + torch.cat((-second, first), -1) * sin).to(states.dtype)


def normed(states: Tensor, weight: Tensor) -> Tensor:
    """RMS normalization, computed in float32."""
    return F.rms_norm(states.float(), (states.shape[-1],), weight.float(), _EPS).to(states.dtype)


def segment_mask(segments: Tensor, prefix: int) -> Tensor:
    """Return the attention mask, [rows, 1, tokens, tokens]: causal, to the prefix and the token's own segment."""
    count, length = segments.shape
    whole = torch.cat([segments.new_full((count, prefix), -2), segments], 1)
    at = torch.arange(prefix + length, device=segments.device)
    same = (whole[:, :, None] == whole[:, None, :]) | (whole == -2)[:, None, :]
    return (same & (at[:, None] >= at[None, :]))[:, None]


class Pupil(nn.Module):
    """A model with auxiliary heads and a fast forward pass for training."""

    def __init__(self, model: Qwen3VLForConditionalGeneration, config: NanoConfig, words: Words) -> None:
        super().__init__()
        self.model = model
        self.config = config
        self._before = list(words.prefix)
        self._after = words.suffix
        slots = (config.patch // SLOT_HEIGHT) * (config.patch // SLOT_WIDTH)
        with torch.random.fork_rng(devices=()):
            torch.manual_seed(0)
            self.letter_norm = nn.LayerNorm(config.vision_size)
            self.letter_head = nn.Linear(config.vision_size, slots * CLASSES)
            self.point_from = nn.Linear(config.size, _POINTER)
            self.point_to = nn.Linear(config.size, _POINTER)
        self._constants()

    def _constants(self) -> None:
        config = self.config
        positions, self.start = geometry.prefix_positions(config, len(self._before))
        self.prefix = positions.shape[1]
        """Number of tokens before the text."""
        cos, sin = geometry.vision_turns(config)
        around, shares = geometry.corners(config)
        inverse, axis = geometry.text_frequencies(config)
        self._constant("vision_cos", cos)
        self._constant("vision_sin", sin)
        self._constant("around", around)
        self._constant("shares", shares)
        self._constant("inverse", inverse)
        self._constant("axis", axis)
        self._constant("prefix_positions", positions.float())
        self._constant("slots", geometry.slot_numbers(config))
        self._constant("before", torch.tensor(self._before))
        self._constant("after", torch.tensor([self._after]))

    def _constant(self, name: str, value: Tensor) -> None:
        self.register_buffer(f"constant_{name}", value, persistent=False)

    def constant(self, name: str) -> Tensor:
        """Return a constant; a buffer, so that it moves with the model."""
        found: Any = getattr(self, f"constant_{name}")
        return found

    @property
    def embedding(self) -> Tensor:
        """Token embedding, tied to the output layer."""
        return self.model.model.language_model.embed_tokens.weight

    def patches(self, pictures: Tensor) -> Tensor:
        """Cut [images, height, width, 3] into [images, patches, values], in the model's order."""
        config, count = self.config, len(pictures)
        patch, merge = config.patch, config.merge
        cell = patch * merge
        split = (count, config.height // cell, merge, patch, config.width // cell, merge, patch, 3)
        return pictures.reshape(split).permute(0, 1, 4, 2, 5, 7, 3, 6).reshape(count, -1, 3 * patch * patch)

    def look(self, pictures: Tensor) -> Seen:
        """Run images, with pixels from -1 to 1, through the vision tower."""
        tower: Any = self.model.model.visual
        embed = tower.patch_embed.proj
        # Both frames of an image are the same, so the weights are summed over frames.
        states = F.linear(self.patches(pictures), embed.weight.sum(2).flatten(1), embed.bias)
        around = F.embedding(self.constant("around"), tower.pos_embed.weight)
        states = states + (around * self.constant("shares")[..., None]).sum(1).to(states.dtype)
        deep: list[Tensor] = []
        for number, block in enumerate(tower.blocks):
            states = states + block.attn.proj(self._looked(block, states))
            inner = F.gelu(block.mlp.linear_fc1(block.norm2(states)), approximate="tanh")
            states = states + block.mlp.linear_fc2(inner)
            if number in self.config.deepstack:
                merger = tower.deepstack_merger_list[self.config.deepstack.index(number)]
                deep.append(merger.linear_fc2(F.gelu(merger.linear_fc1(merger.norm(self._merged(states))))))
        merger = tower.merger
        tokens = merger.linear_fc2(F.gelu(merger.linear_fc1(self._merged(merger.norm(states)))))
        return Seen(states, tokens, tuple(deep))

    def _merged(self, states: Tensor) -> Tensor:
        return states.reshape(len(states), -1, states.shape[-1] * self.config.merge**2)

    def _looked(self, block: Any, states: Tensor) -> Tensor:
        count, length, size = states.shape
        heads = self.config.vision_heads
        qkv = block.attn.qkv(block.norm1(states)).view(count, length, 3, heads, size // heads)
        query, key, value = qkv.permute(2, 0, 3, 1, 4)
        cos, sin = self.constant("vision_cos"), self.constant("vision_sin")
        query, key = turned(query, cos, sin), turned(key, cos, sin)
        found = F.scaled_dot_product_attention(query, key, value)
        return found.transpose(1, 2).reshape(count, length, size)

    def begin(self, seen: Seen, ids: Tensor) -> Tensor:
        """Return the embeddings of whole rows: the start of every prompt, the image, the text."""
        count, weight, kind = len(ids), self.embedding, seen.tokens.dtype
        before = F.embedding(self.constant("before"), weight).expand(count, -1, -1)
        after = F.embedding(self.constant("after"), weight).expand(count, -1, -1)
        return torch.cat([before.to(kind), seen.tokens, after.to(kind), F.embedding(ids, weight).to(kind)], 1)

    def turns(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Return cosines and sines, [rows, 1, tokens, head size], for positions [3, rows, tokens]."""
        angles = positions[self.constant("axis")].permute(1, 2, 0) * self.constant("inverse")
        angles = torch.cat([angles, angles], -1)[:, None]
        return angles.cos(), angles.sin()

    def row_turns(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Return `turns` for whole rows, given the positions of the text counted from its start."""
        count = len(positions)
        prefix = self.constant("prefix_positions")[:, None].expand(-1, count, -1)
        text = (positions + self.start).float().expand(3, -1, -1)
        return self.turns(torch.cat([prefix, text], 2))

    def read(
        self,
        states: Tensor,
        turns: tuple[Tensor, Tensor],
        mask: Tensor,
        deep: tuple[Tensor, ...] = (),
        remember: Remember | None = None,
    ) -> Tensor:
        """Run states through the language model."""
        language: Any = self.model.model.language_model
        start = len(self._before)
        for number, layer in enumerate(language.layers):
            states = states + self._attended(number, layer, states, turns, mask, remember)
            inner = normed(states, layer.post_attention_layernorm.weight)
            mlp = layer.mlp
            states = states + mlp.down_proj(F.silu(mlp.gate_proj(inner)) * mlp.up_proj(inner))
            if number < len(deep):
                end = start + deep[number].shape[1]
                states = torch.cat([states[:, :start], states[:, start:end] + deep[number], states[:, end:]], 1)
        return normed(states, language.norm.weight)

    def _attended(
        self,
        number: int,
        layer: Any,
        states: Tensor,
        turns: tuple[Tensor, Tensor],
        mask: Tensor,
        remember: Remember | None,
    ) -> Tensor:
        count, length, _ = states.shape
        size, attention = self.config.head_size, layer.self_attn
        inner = normed(states, layer.input_layernorm.weight)
        query = normed(attention.q_proj(inner).view(count, length, -1, size), attention.q_norm.weight).transpose(1, 2)
        key = normed(attention.k_proj(inner).view(count, length, -1, size), attention.k_norm.weight).transpose(1, 2)
        value = attention.v_proj(inner).view(count, length, -1, size).transpose(1, 2)
        query, key = turned(query, *turns), turned(key, *turns)
        if remember is not None:
            key, value = remember(number, key, value)
        shared = self.config.heads // self.config.key_heads
        key, value = key.repeat_interleave(shared, 1), value.repeat_interleave(shared, 1)
        found = F.scaled_dot_product_attention(query, key, value, attn_mask=mask)
        return attention.o_proj(found.transpose(1, 2).reshape(count, length, -1))

    def states(self, seen: Seen, ids: Tensor, positions: Tensor, segments: Tensor) -> Tensor:
        """Return the hidden states of rows, including the prefix."""
        mask = segment_mask(segments, self.prefix)
        return self.read(self.begin(seen, ids), self.row_turns(positions), mask, seen.deep)

    def logits(self, states: Tensor) -> Tensor:
        """Return the logits of the next token."""
        return F.linear(states, self.embedding.to(states.dtype)).float()

    def letters(self, patches: Tensor) -> Tensor:
        """Return the letter logits of every slot, in the order of the patches: [images, slots, classes]."""
        found = self.letter_head(self.letter_norm(patches))
        return found.reshape(len(patches), -1, CLASSES)

    def pointer(self, states: Tensor, at: Tensor) -> Tensor:
        """Return pointer logits from text tokens at `at` to image tokens: [rows, tokens, image tokens]."""
        start = len(self._before)
        source = states.gather(1, (at + self.prefix)[..., None].expand(-1, -1, states.shape[-1]))
        keys = self.point_to(states[:, start : start + self.config.picture_tokens])
        return (self.point_from(source) @ keys.transpose(1, 2)).float() / math.sqrt(_POINTER)
