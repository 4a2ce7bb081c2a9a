"""Nano while it learns: many segments to a picture, on the weights that transformers knows.

The same as `Qwen3VLForConditionalGeneration` on each segment alone, computed once: equal-sized pictures go through the
vision tower together, a picture's keys and values serve all its segments, and only what stands before a token of a
reply is turned into logits. Two small heads help the vision tower to learn, and are not published.
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

from webgym.nano.config import NanoConfig
from webgym.nano.learn import geometry
from webgym.nano.learn.letters import CLASSES, SLOT_HEIGHT, SLOT_WIDTH
from webgym.nano.learn.words import Words

_EPS = 1e-6
_POINTER = 128

Remember = Callable[[int, Tensor, Tensor], tuple[Tensor, Tensor]]
"""Takes the keys and values of a layer's new tokens, returns all that they may look at."""


class Seen(NamedTuple):
    """What the vision tower makes of pictures."""

    patches: Tensor
    """[pictures, patches, size]"""
    tokens: Tensor
    """[pictures, tokens, size]"""
    deep: tuple[Tensor, ...]


def turned(states: Tensor, cos: Tensor, sin: Tensor) -> Tensor:
    """Rotary positions."""
    first, second = states.chunk(2, -1)
    return (states * cos + torch.cat((-second, first), -1) * sin).to(states.dtype)


def normed(states: Tensor, weight: Tensor) -> Tensor:
    """Root mean square, in float32 whatever the states are in."""
    return F.rms_norm(states.float(), (states.shape[-1],), weight.float(), _EPS).to(states.dtype)


def segment_mask(segments: Tensor, prefix: int) -> Tensor:
    """Who sees whom: [rows, 1, tokens, tokens]. The prefix and one's own segment, nothing that comes later."""
    count, length = segments.shape
    whole = torch.cat([segments.new_full((count, prefix), -2), segments], 1)
    at = torch.arange(prefix + length, device=segments.device)
    same = (whole[:, :, None] == whole[:, None, :]) | (whole == -2)[:, None, :]
    return (same & (at[:, None] >= at[None, :]))[:, None]


class Pupil(nn.Module):
    """A model with what it needs to learn fast."""

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
        """Tokens before the text."""
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
        """Moves with the model."""
        found: Any = getattr(self, f"constant_{name}")
        return found

    @property
    def embedding(self) -> Tensor:
        """Of tokens; also the output layer."""
        return self.model.model.language_model.embed_tokens.weight

    def patches(self, pictures: Tensor) -> Tensor:
        """[pictures, height, width, 3] as [pictures, patches, values], in the order of the model."""
        config, count = self.config, len(pictures)
        patch, merge = config.patch, config.merge
        cell = patch * merge
        split = (count, config.height // cell, merge, patch, config.width // cell, merge, patch, 3)
        return pictures.reshape(split).permute(0, 1, 4, 2, 5, 7, 3, 6).reshape(count, -1, 3 * patch * patch)

    def look(self, pictures: Tensor) -> Seen:
        """Pictures from -1 to 1 through the vision tower, all at once."""
        tower: Any = self.model.model.visual
        embed = tower.patch_embed.proj
        # Both frames of a picture are the same: their weights are added instead of their products.
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
        """Embeddings of whole rows: what every prompt starts with, the picture, the text."""
        count, weight, kind = len(ids), self.embedding, seen.tokens.dtype
        before = F.embedding(self.constant("before"), weight).expand(count, -1, -1)
        after = F.embedding(self.constant("after"), weight).expand(count, -1, -1)
        return torch.cat([before.to(kind), seen.tokens, after.to(kind), F.embedding(ids, weight).to(kind)], 1)

    def turns(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """Cosines and sines for [3, rows, tokens]: [rows, 1, tokens, head size]."""
        angles = positions[self.constant("axis")].permute(1, 2, 0) * self.constant("inverse")
        angles = torch.cat([angles, angles], -1)[:, None]
        return angles.cos(), angles.sin()

    def row_turns(self, positions: Tensor) -> tuple[Tensor, Tensor]:
        """For whole rows, given those of the text counted from its start."""
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
        """States through the language model."""
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
        """Of rows, the prefix included."""
        mask = segment_mask(segments, self.prefix)
        return self.read(self.begin(seen, ids), self.row_turns(positions), mask, seen.deep)

    def logits(self, states: Tensor) -> Tensor:
        """Of the next token."""
        return F.linear(states, self.embedding.to(states.dtype)).float()

    def letters(self, patches: Tensor) -> Tensor:
        """Of every slot, in the order of the patches: [pictures, slots, classes]."""
        found = self.letter_head(self.letter_norm(patches))
        return found.reshape(len(patches), -1, CLASSES)

    def pointer(self, states: Tensor, at: Tensor) -> Tensor:
        """From some tokens of the text to those of the picture: [rows, tokens, picture tokens]."""
        start = len(self._before)
        source = states.gather(1, (at + self.prefix)[..., None].expand(-1, -1, states.shape[-1]))
        keys = self.point_to(states[:, start : start + self.config.picture_tokens])
        return (self.point_from(source) @ keys.transpose(1, 2)).float() / math.sqrt(_POINTER)
