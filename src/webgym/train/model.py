"""Qwen3-VL over packed rows: parameters as in the published checkpoints, computation of our own."""

from __future__ import annotations

from typing import cast

import torch
from torch import Tensor, nn

from webgym.train.attention import kernel_for
from webgym.train.attention_kernels import Heads, Kernel
from webgym.train.layers import Linear
from webgym.train.logprobs import TokenLogprobs, speak
from webgym.train.packing import Pack, blank
from webgym.train.shape import Shape
from webgym.train.text import TextLayer, TextModel
from webgym.train.typed import compiled
from webgym.train.vision import VisionBlock, VisionModel

_SPREAD = 0.02


class Towers(nn.Module):
    """Vision tower and language model, named as in checkpoints."""

    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.visual = VisionModel(shape.vision)
        self.language_model = TextModel(shape.text)


class PackedModel(nn.Module):
    """Computes log probabilities of the sampled tokens of packed rows."""

    def __init__(self, shape: Shape, dtype: torch.dtype = torch.float32) -> None:
        super().__init__()
        self.shape = shape
        self.dtype = dtype
        """Compute dtype; weights have their own."""
        self.model = Towers(shape)
        self.lm_head = None if shape.tied else Linear(shape.text.width, shape.text.vocabulary)
        self.always_look = False
        """Whether to run the vision tower even without images: all ranks must take part in gathering its weights."""

    def forward(self, pack: Pack) -> TokenLogprobs:
        text = self.model.language_model
        nothing = pack.pictures is None and self.always_look
        pictures = blank(self.shape.vision, pack.ids.device) if nothing else pack.pictures
        self.prepare(text=pack.within.long, vision=pictures is not None and pictures.within.long)
        x = text.embed_tokens(pack.ids).to(self.dtype)
        seen: list[Tensor] = []
        features: list[Tensor] = [] if pictures is None else self.model.visual(pictures, self.dtype)
        if nothing:
            x = x + sum(each.sum() for each in features) * 0
        elif features:
            first, *seen = (each.index_select(0, pack.seen_from) for each in features)
            x = x.index_copy(0, pack.seen_at, first)
        hidden = text(x, pack.positions, pack.within, seen, pack.seen_at if seen else None, pack.loss_at)
        return speak(text.norm(hidden), self.output_weight, pack.targets, pack.temperatures)

    def prepare(self, *, text: bool, vision: bool) -> tuple[Kernel, Kernel]:
        """Choose the attention kernels of text and vision, for long segments or short ones.

        Called ahead of the layers: kernels tried inside a layer would be recorded as part of its forward pass.
        """
        words, seeing, device = self.shape.text, self.shape.vision, self.output_weight.device
        speaking = Heads(words.heads, words.kv_heads, words.head_width, causal=True)
        looking = Heads(seeing.heads, seeing.heads, seeing.width // seeing.heads, causal=False)
        return (
            kernel_for(device, self.dtype, speaking, long=text),
            kernel_for(device, self.dtype, looking, long=vision),
        )

    @property
    def output_weight(self) -> Tensor:
        return self.model.language_model.embed_tokens.weight if self.lm_head is None else self.lm_head.weight

    @property
    def text_layers(self) -> list[TextLayer]:
        return [cast("TextLayer", layer) for layer in self.model.language_model.layers]

    @property
    def vision_blocks(self) -> list[VisionBlock]:
        return [cast("VisionBlock", block) for block in self.model.visual.blocks]

    def save_memory(self, *, text: float, vision: float) -> None:
        """Set the shares of layers whose activations are recomputed in the backward pass instead of kept."""
        for layers, share in ((self.text_layers, text), (self.vision_blocks, vision)):
            for number, layer in enumerate(layers):
                layer.recompute = number < round(share * len(layers))
        for layer in self.text_layers:
            layer.mlp.thrifty = not layer.recompute

    def compile_layers(self) -> None:
        """Compile each layer before and after attention. Attention itself is not compiled: its lengths change."""
        for layer in (*self.text_layers, *self.vision_blocks):
            layer.ask = compiled(layer.ask)
            layer.conclude = compiled(layer.conclude)

    def scramble(self, seed: int) -> None:
        """Initialize the weights randomly, with the standard deviation that transformers uses."""
        device = self.output_weight.device
        generator = torch.Generator(device).manual_seed(seed)
        with torch.no_grad():
            for name, weight in self.named_parameters():
                if weight.ndim > 1:
                    weight.normal_(0, _SPREAD, generator=generator)
                else:
                    weight.fill_(1.0 if "norm" in name and name.endswith("weight") else 0.0)
