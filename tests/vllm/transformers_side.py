"""What transformers makes of the same tokens and pictures: the other side of every comparison."""

from __future__ import annotations

import io
from pathlib import Path

import torch
from PIL import Image

from webgym.nano.folder import read_model
from webgym.nano.processor import read_processor
from webgym.records.prompt import Completion, Prompt, Text, unpack_ids


class Plain:
    """A checkpoint in float32, by one plain forward pass over everything."""

    def __init__(self, folder: Path) -> None:
        self._model = read_model(folder)
        self._processor = read_processor(folder)

    def prompt_ids(self, prompt: Prompt, pictures: dict[str, bytes]) -> list[int]:
        """The tokens of transformers' own processor."""
        messages = [
            {"role": message.role, "content": [_content(part) for part in message.parts]} for message in prompt.messages
        ]
        text = self._processor.apply_chat_template(messages, add_generation_prompt=True, tokenize=False)
        return self._processor(text=[text], images=_images(prompt, pictures))["input_ids"][0]

    @torch.inference_mode()
    def logprobs(self, prompt: Prompt, pictures: dict[str, bytes], completion: Completion) -> list[float]:
        """Of the sampled tokens, at the temperature they were sampled at."""
        tokens = completion.tokens
        before, sampled = list(unpack_ids(tokens.prompt)), list(unpack_ids(tokens.sampled))
        ids = torch.tensor([before + sampled[:-1]])
        seen = self._processor.image_processor(images=_images(prompt, pictures), return_tensors="pt")
        logits = self._model(
            input_ids=ids,
            mm_token_type_ids=(ids == self._model.config.image_token_id).int(),
            pixel_values=seen["pixel_values"],
            image_grid_thw=seen["image_grid_thw"],
        ).logits[0, len(before) - 1 :]
        found = torch.log_softmax(logits.float() / tokens.temperature, -1)
        return found.gather(1, torch.tensor(sampled)[:, None])[:, 0].tolist()


def _content(part):
    return {"type": "text", "text": part.text} if isinstance(part, Text) else {"type": "image"}


def _images(prompt: Prompt, pictures: dict[str, bytes]) -> list[Image.Image]:
    return [Image.open(io.BytesIO(pictures[one.address])).convert("RGB") for one in prompt.pictures]
