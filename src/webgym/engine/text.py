"""The language model of Qwen3-VL over a slotted KV cache, with transformers' weights.

Prefill runs packed, without padding. Decode runs one token of every slot at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import torch
from torch.nn import functional as F  # noqa: N812 - as everyone calls it

from webgym.engine.checkpoint import EMBEDDING, HEAD
from webgym.engine.grids import text_frequencies
from webgym.engine.kv_cache import KVCache
from webgym.engine.shape import TextConfig
from webgym.engine.weights import DeviceWeights, pairs, turn

_PREFIX = "model.language_model."

_Tensors = Mapping[str, torch.Tensor]


class TokenSpan(NamedTuple):
    """A sequence, or the uncached rest of one, among packed tokens."""

    slot: int
    start: int
    """Tokens that its slot holds already."""
    length: int
    """New tokens."""


class _Layer(NamedTuple):
    norm1: torch.Tensor
    qkv: torch.Tensor
    qk_norm: torch.Tensor
    """[heads + key heads, head_dim]: queries and keys are normalised in one call."""
    out: torch.Tensor
    norm2: torch.Tensor
    gate_up: torch.Tensor
    down: torch.Tensor


class CachedTextModel:
    """Maps tokens to the logits of the next token."""

    def __init__(self, shape: TextConfig, device_weights: DeviceWeights, longest: int) -> None:
        self._shape = shape
        self._device_weights = device_weights
        frequencies, axis = text_frequencies(shape)
        self._frequencies = frequencies.to(device_weights.device)
        self._axis = axis.to(device_weights.device)
        places = torch.arange(longest, device=device_weights.device)
        self._turns = self._turning(places.expand(3, -1))
        """Rotary factors of every position, for text tokens."""

    def load(self, tensors: _Tensors, *, tied: bool) -> None:
        """Load weights, under transformers' names."""
        put = self._device_weights.put
        self._embedding = put("text.embedding", tensors[EMBEDDING])
        self._head = self._embedding if tied else put("text.head", tensors[HEAD])
        self._norm = put("text.norm", tensors[f"{_PREFIX}norm.weight"])
        self._layers = [self._layer(tensors, number) for number in range(self._shape.num_hidden_layers)]

    def embed(self, ids: torch.Tensor) -> torch.Tensor:
        return F.embedding(ids, self._embedding)

    def begin(
        self,
        states: torch.Tensor,
        places: torch.Tensor,
        spans: Sequence[TokenSpan],
        slots: KVCache,
        deep: Sequence[tuple[torch.Tensor, torch.Tensor]] = (),
    ) -> torch.Tensor:
        """Prefill spans; return the logits after the last token of each, [spans, vocabulary].

        Args:
            states: Embedded tokens of all spans, concatenated: [tokens, size].
            places: Positions of these tokens: [3, tokens].
            spans: The sequences they belong to.
            slots: KV cache to write to.
            deep: For each of the first layers, rows and the deepstack features added to them after it.
        """
        turns = self._turning(places)[:, None, :]
        ends = torch.tensor([span.length for span in spans]).cumsum(0).to(states.device) - 1
        final = len(self._layers) - 1
        for number, layer in enumerate(self._layers):
            query, keys, values = self._project(layer, states, turns)
            _store(slots, number, spans, keys, values)
            if number == final:
                # Nothing after this needs the other tokens.
                states, query = states[ends], query[ends]
            attended = self._attend_spans(number, query, spans, slots, last_only=number == final)
            states = self._rest(layer, states, attended)
            if number < len(deep):
                states = states.index_add(0, *deep[number])
        return self._logits(states)

    def go_on(self, ids: torch.Tensor, places: torch.Tensor, slots: KVCache, seen: int) -> torch.Tensor:
        """Decode one token in each of the first slots; return the logits after it, [tokens, vocabulary].

        Args:
            ids: The tokens.
            places: Positions of these tokens.
            slots: KV cache to append to.
            seen: Most tokens that one of these slots holds, the new one included.
        """
        shape = self._shape
        count = ids.shape[0]
        states = self.embed(ids)
        turns = self._turns.index_select(0, places)[:, None, :]
        rows = slots.rows(count)
        slots.advance(count)
        mask = slots.mask[:count, None, None, :seen]
        for number, layer in enumerate(self._layers):
            query, keys, values = self._project(layer, states, turns)
            slots.write(number, rows, keys, values)
            # Queries that share a key head take the place of the token dimension, so keys are not repeated.
            attended = F.scaled_dot_product_attention(
                query.view(count, shape.num_key_value_heads, shape.groups, shape.head_dim),
                slots.keys[number][:count, :, :seen],
                slots.values[number][:count, :, :seen],
                attn_mask=mask,
            )
            states = self._rest(layer, states, attended.reshape(count, -1))
        return self._logits(states)

    def _project(
        self, layer: _Layer, states: torch.Tensor, turns: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        shape = self._shape
        heads, key_heads, size = shape.num_attention_heads, shape.num_key_value_heads, shape.head_dim
        normed = F.rms_norm(states, (shape.hidden_size,), layer.norm1, shape.rms_norm_eps)
        qkv = F.linear(normed, layer.qkv).view(-1, heads + 2 * key_heads, size)
        both = F.rms_norm(qkv[:, : heads + key_heads], (size,), None, shape.rms_norm_eps) * layer.qk_norm
        turned = turn(both, turns)
        return turned[:, :heads], turned[:, heads:], qkv[:, heads + key_heads :]

    def _attend_spans(
        self, number: int, query: torch.Tensor, spans: Sequence[TokenSpan], slots: KVCache, *, last_only: bool
    ) -> torch.Tensor:
        out = torch.empty_like(query)
        at = 0
        for span in spans:
            length = 1 if last_only else span.length
            end = span.start + span.length
            attended = F.scaled_dot_product_attention(
                query[None, at : at + length].transpose(1, 2),
                slots.keys[number][None, span.slot, :, :end],
                slots.values[number][None, span.slot, :, :end],
                attn_mask=None if last_only or not span.start else _after(span, query.device),
                is_causal=not last_only and not span.start,
                enable_gqa=self._shape.groups > 1,
            )
            out[at : at + length] = attended[0].transpose(0, 1)
            at += length
        return out.flatten(1)

    def _rest(self, layer: _Layer, states: torch.Tensor, attended: torch.Tensor) -> torch.Tensor:
        shape = self._shape
        states = torch.addmm(states, attended, layer.out.t())
        normed = F.rms_norm(states, (shape.hidden_size,), layer.norm2, shape.rms_norm_eps)
        gate, up = F.linear(normed, layer.gate_up).chunk(2, -1)
        return torch.addmm(states, F.silu(gate).mul_(up), layer.down.t())

    def _logits(self, states: torch.Tensor) -> torch.Tensor:
        normed = F.rms_norm(states, (self._shape.hidden_size,), self._norm, self._shape.rms_norm_eps)
        return F.linear(normed, self._head).float()

    def _turning(self, places: torch.Tensor) -> torch.Tensor:
        """Return the rotary embeddings of positions as complex factors: [tokens, head_dim / 2]."""
        angles = places.float()[self._axis].t() * self._frequencies
        return torch.polar(torch.ones_like(angles), angles)

    def _layer(self, tensors: _Tensors, number: int) -> _Layer:
        shape, name, put = self._shape, f"{_PREFIX}layers.{number}.", self._device_weights.put
        heads, key_heads = shape.num_attention_heads, shape.num_key_value_heads

        def weight(part: str) -> torch.Tensor:
            return tensors[f"{name}{part}.weight"]

        query = pairs(weight("self_attn.q_proj"), heads)
        key = pairs(weight("self_attn.k_proj"), key_heads)
        norms = [pairs(weight(f"self_attn.{part}_norm"), 1) for part in ("q", "k")]
        qk_norm = torch.cat([norms[0].expand(heads, -1), norms[1].expand(key_heads, -1)])
        gate_up = torch.cat([weight("mlp.gate_proj"), weight("mlp.up_proj")])
        return _Layer(
            norm1=put(f"text.{number}.norm1", weight("input_layernorm")),
            qkv=put(f"text.{number}.qkv", torch.cat([query, key, weight("self_attn.v_proj")])),
            qk_norm=put(f"text.{number}.qk_norm", qk_norm),
            out=put(f"text.{number}.out", weight("self_attn.o_proj")),
            norm2=put(f"text.{number}.norm2", weight("post_attention_layernorm")),
            gate_up=put(f"text.{number}.gate_up", gate_up),
            down=put(f"text.{number}.down", weight("mlp.down_proj")),
        )


def _store(slots: KVCache, number: int, spans: Sequence[TokenSpan], keys: torch.Tensor, values: torch.Tensor) -> None:
    at = 0
    for span in spans:
        here = slice(span.start, span.start + span.length)
        slots.keys[number][span.slot, :, here] = keys[at : at + span.length].transpose(0, 1)
        slots.values[number][span.slot, :, here] = values[at : at + span.length].transpose(0, 1)
        at += span.length


def _after(span: TokenSpan, device: torch.device) -> torch.Tensor:
    """Return the causal mask of a span, offset by the tokens that its slot holds already."""
    there = torch.arange(span.start + span.length, device=device)
    return there[None, :] <= (span.start + torch.arange(span.length, device=device))[:, None]
