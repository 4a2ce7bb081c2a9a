"""Reference logprobs from transformers: one plain forward pass over prompt, images and reply."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import io
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from PIL import Image
from transformers import AutoModelForImageTextToText

from webgym.records.prompt import Part, Prompt, Text, Tokens, unpack_ids
from webgym.run.inference.processor import read_processor


class Plain:
    """A checkpoint loaded with transformers. Its methods block."""

    def __init__(self, folder: Path, *, dtype: str = "float32", device: str = "cpu") -> None:
        self._device = device
        self._model: Any = AutoModelForImageTextToText.from_pretrained(folder, dtype=getattr(torch, dtype))
        self._model = self._model.eval().to(device)
        self._processor: Any = read_processor(folder)

    def prompt_ids(self, prompt: Prompt, pictures: Mapping[str, bytes]) -> list[int]:
        """Return the prompt tokens of transformers' own processor."""
        messages = [
            {"role": message.role, "content": [_content(part) for part in message.parts]} for message in prompt.messages
        ]
        text = self._processor.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
        return list(self._processor(text=[text], images=_images(prompt, pictures) or None)["input_ids"][0])

    @torch.inference_mode()
    def logprobs(self, prompt: Prompt, pictures: Mapping[str, bytes], tokens: Tokens) -> list[float]:
        """Return the logprobs of the sampled tokens, at their sampling temperature."""
        before, sampled = list(unpack_ids(tokens.prompt)), list(unpack_ids(tokens.sampled))
        ids = torch.tensor([before + sampled[:-1]])
        inputs: dict[str, Any] = {"input_ids": ids}
        if shown := _images(prompt, pictures):
            seen = self._processor.image_processor(images=shown, return_tensors="pt")
            inputs["mm_token_type_ids"] = (ids == self._model.config.image_token_id).int()
            inputs["pixel_values"] = seen["pixel_values"].to(self._model.dtype)
            inputs["image_grid_thw"] = seen["image_grid_thw"]
        placed = {name: value.to(self._device) for name, value in inputs.items()}
        logits = self._model(**placed).logits[0, len(before) - 1 :]
        found = torch.log_softmax(logits.float() / tokens.temperature, -1)
        return found.gather(1, torch.tensor(sampled, device=self._device)[:, None])[:, 0].tolist()


def _content(part: Part) -> dict[str, str]:
    return {"type": "text", "text": part.text} if isinstance(part, Text) else {"type": "image"}


def _images(prompt: Prompt, pictures: Mapping[str, bytes]) -> list[Image.Image]:
    return [Image.open(io.BytesIO(pictures[picture.address])).convert("RGB") for picture in prompt.pictures]
