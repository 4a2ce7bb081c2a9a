"""Transformers' Qwen3-VL processor without video: `AutoProcessor` requires torchvision, which only video needs."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

from pathlib import Path
from typing import Any

from transformers import AutoTokenizer, Qwen2VLImageProcessorPil, Qwen3VLProcessor


class StillProcessor(Qwen3VLProcessor):
    """A processor of text and images."""

    def check_argument_for_proper_class(self, argument_name: str, argument: object) -> Any:
        """Allow the video processor to be missing."""
        if argument_name == "video_processor" and argument is None:
            return type(None)
        return super().check_argument_for_proper_class(argument_name, argument)


def read_processor(folder: Path) -> StillProcessor:
    """Return the processor of any Qwen3-VL checkpoint; Pillow resizes images."""
    tokenizer = AutoTokenizer.from_pretrained(folder)
    pictures = Qwen2VLImageProcessorPil.from_pretrained(folder)
    return StillProcessor(pictures, tokenizer, None, chat_template=tokenizer.chat_template)
