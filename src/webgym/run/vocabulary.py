"""The image tokens of a checkpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from webgym.errors import ConfigError
from webgym.records.vocabulary import ImageTokens


def vocabulary_of(model: Path) -> ImageTokens:
    """Read the image tokens from a checkpoint's `config.json`. Blocks.

    Raises:
        ConfigError: The file is missing or names no image token.
    """
    path = model / "config.json"
    try:
        found: Any = msgspec.json.decode(path.read_bytes())
        image = int(found["image_token_id"])
        others = [found.get(f"{name}_token_id") for name in ("video", "vision_start", "vision_end")]
    except (OSError, msgspec.MsgspecError, KeyError, TypeError, ValueError) as error:
        raise ConfigError(f"{path} does not define the image token: {error}") from None
    return ImageTokens(image, (image, *(int(other) for other in others if other is not None)))
