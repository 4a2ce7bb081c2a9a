"""Nano as a checkpoint folder that transformers, the engine and inference servers load.

config.json              dimensions, as `Qwen3VLConfig`
webgym.json              what it is taught to see and say, for WebGym
generation_config.json   sampling defaults, and the token that ends a reply
model.safetensors        the weights; the output layer is tied to the embedding and not stored
tokenizer.json, tokenizer_config.json, preprocessor_config.json, video_preprocessor_config.json,
chat_template.jinja      how messages, text and images become token ids
"""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import copy
import json
from importlib.resources import files
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import save_file
from transformers import Qwen3VLForConditionalGeneration

from webgym.errors import ConfigError
from webgym.files import drafted
from webgym.store.weights_manner import save_manner
from webgym_nano import characters
from webgym_nano.characters import vocabulary
from webgym_nano.config import NanoConfig, picture_settings
from webgym_nano.manner import manner
from webgym_nano.tokenizer import tokenizer_json, tokenizer_settings

WEIGHTS = "model.safetensors"
_TIED = "lm_head.weight"


def chat_template() -> str:
    """Return the chat template."""
    return files("webgym_nano").joinpath("chat_template.jinja").read_text(encoding="utf-8").strip()


def write_folder(
    folder: Path,
    model: Qwen3VLForConditionalGeneration,
    config: NanoConfig = NanoConfig(),
    *,
    dtype: torch.dtype = torch.bfloat16,
) -> None:
    """Write a checkpoint. The weights come last and atomically: a folder that has them is complete."""
    folder.mkdir(parents=True, exist_ok=True)
    sizes = copy.deepcopy(model.config)
    sizes.architectures = ["Qwen3VLForConditionalGeneration"]
    sizes.dtype = dtype
    sizes.save_pretrained(folder)
    _write_json(folder / "generation_config.json", _generation())
    _write_json(folder / "preprocessor_config.json", picture_settings(config))
    _write_json(folder / "video_preprocessor_config.json", {"video_processor_type": "Qwen3VLVideoProcessor"})
    _write_json(folder / "tokenizer_config.json", tokenizer_settings())
    (folder / "tokenizer.json").write_text(tokenizer_json(), encoding="utf-8")
    (folder / "chat_template.jinja").write_text(chat_template(), encoding="utf-8")
    save_manner(folder, manner(config))
    with drafted(folder / WEIGHTS) as draft:
        save_file(_weights(model, dtype), draft, metadata={"format": "pt"})


def read_model(folder: Path, *, dtype: torch.dtype = torch.float32) -> Qwen3VLForConditionalGeneration:
    """Load the model in a folder.

    Raises:
        ConfigError: It holds none, or its weights do not fit its config.
    """
    if missing := [name for name in ("config.json", WEIGHTS) if not (folder / name).is_file()]:
        raise ConfigError(f"{folder} holds no model: {', '.join(missing)} missing")
    loaded: Any = Qwen3VLForConditionalGeneration.from_pretrained(folder, dtype=dtype, output_loading_info=True)
    model, told = loaded
    if wrong := [*told["missing_keys"], *told["unexpected_keys"], *told["mismatched_keys"]]:
        raise ConfigError(f"the weights in {folder} do not fit its config.json: {wrong[0]} and {len(wrong) - 1} others")
    return model.eval()


def _weights(model: Qwen3VLForConditionalGeneration, dtype: torch.dtype) -> dict[str, torch.Tensor]:
    """Return the weights without the tied output layer: a stale copy could be loaded over the embedding."""
    return {
        name: weight.detach().to("cpu", dtype).contiguous()
        for name, weight in model.state_dict().items()
        if name != _TIED
    }


def _generation() -> dict[str, object]:
    ids = vocabulary()
    return {
        "do_sample": True,
        "temperature": 1.0,
        "top_k": 0,
        "top_p": 1.0,
        "eos_token_id": ids[characters.END_OF_TURN],
        "pad_token_id": ids[characters.END_OF_TEXT],
    }


def _write_json(path: Path, value: dict[str, object]) -> None:
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")
