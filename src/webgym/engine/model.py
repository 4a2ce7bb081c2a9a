"""A whole Qwen3-VL on one device: vision tower, language model and KV cache."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import torch

from webgym.engine.checkpoint import Checkpoint, check_tied
from webgym.engine.kv_cache import KVCache
from webgym.engine.memory_budget import check_room
from webgym.engine.pixels import PictureReader, read_settings
from webgym.engine.settings import EngineSettings
from webgym.engine.shape import CheckpointConfig, end_ids, read_shape
from webgym.engine.text import CachedTextModel
from webgym.engine.vision import VisionTower
from webgym.engine.weights import DeviceWeights
from webgym.errors import ConfigError


class Model:
    """A model whose weights can be reloaded between two steps, in place: tensors keep their addresses."""

    def __init__(self, folder: Path, settings: EngineSettings) -> None:
        self.shape: CheckpointConfig = read_shape(folder)
        self.reader: PictureReader = read_settings(folder)
        self.ends = end_ids(folder, self.shape)
        self.device = _device(settings.device)
        self.dtype = _dtype(settings.dtype, self.device)
        if self.device.type == "cuda":
            # cuDNN builds a new plan for every key length, which changes with every token.
            torch.backends.cuda.enable_cudnn_sdp(False)
        checkpoint = Checkpoint(folder)
        weights = checkpoint.numbers(tied=self.shape.tie_word_embeddings)
        self.left = check_room(self.shape.text_config, settings, weights, self.device, self.dtype)
        """Bytes of memory left besides weights and KV cache."""
        self._device_weights = DeviceWeights(self.device, self.dtype)
        mean, scale = torch.tensor(self.reader.mean), torch.tensor(self.reader.scale)
        self.vision = VisionTower(self.shape.vision_config, self._device_weights, mean, scale)
        self.text = CachedTextModel(self.shape.text_config, self._device_weights, settings.length + 1)
        self.slots = KVCache(self.shape.text_config, settings.slots, settings.length, self.device, self.dtype)
        self._sizes: dict[str, torch.Size] = {}
        self.load(checkpoint)

    def load(self, tensors: Mapping[str, torch.Tensor], *, checked: bool = False) -> None:
        """Load weights, after checking them unless `checked`. If they are not valid, the old ones stay.

        Raises:
            ConfigError: Some are missing, stale, of another shape, or not finite.
        """
        if not checked:
            self.check(tensors)
        watched = _ReadRecorder(tensors)
        with torch.inference_mode():
            self.vision.load(watched)
            self.text.load(watched, tied=self.shape.tie_word_embeddings)
        self._sizes = watched.sizes

    @property
    def bytes(self) -> int:
        """Bytes of weights and KV cache."""
        return self._device_weights.bytes + self.slots.bytes

    def check(self, tensors: Mapping[str, torch.Tensor]) -> None:
        """Check that these weights can be loaded, from any thread. Raises as `load` does."""
        if missing := [name for name in self._sizes if name not in tensors]:
            raise ConfigError(f"the weights lack {missing[0]} and {len(missing) - 1} others")
        for name, size in self._sizes.items():
            tensor = tensors[name]
            if tensor.shape != size:
                raise ConfigError(f"{name} is of shape {tuple(tensor.shape)}; the model's is {tuple(size)}")
            if not torch.isfinite(tensor).all():
                raise ConfigError(f"{name} contains NaN or infinite values")
        # Not among `_sizes`: a tied output layer is never loaded, and only some checkpoints store it.
        check_tied(tensors, tied=self.shape.tie_word_embeddings)


class _ReadRecorder(Mapping[str, torch.Tensor]):
    """Tensors by name, recording the names and shapes of those that are read."""

    def __init__(self, tensors: Mapping[str, torch.Tensor]) -> None:
        self._tensors = tensors
        self.sizes: dict[str, torch.Size] = {}

    def __getitem__(self, name: str) -> torch.Tensor:
        try:
            tensor = self._tensors[name]
        except KeyError:
            raise ConfigError(f"the weights lack {name}") from None
        self.sizes[name] = tensor.shape
        return tensor

    def __iter__(self) -> Iterator[str]:
        return iter(self._tensors)

    def __len__(self) -> int:
        return len(self._tensors)

    def __contains__(self, name: object) -> bool:
        return name in self._tensors


def _device(name: str) -> torch.device:
    if name == "auto":
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        device = torch.device(name)
        if name.startswith("cuda:"):
            torch.cuda.set_device(device)  # streams and CUDA graphs belong to the current device
    except RuntimeError as error:
        raise ConfigError(f"there is no device {name!r}") from error
    return device


def _dtype(name: str, device: torch.device) -> torch.dtype:
    if name == "auto":
        return torch.float32 if device.type == "cpu" else torch.bfloat16
    return {"float32": torch.float32, "bfloat16": torch.bfloat16}[name]
