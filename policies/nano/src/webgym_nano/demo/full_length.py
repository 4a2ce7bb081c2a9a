"""The curve of a full-length training run that ships with the package."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webgym.curves.app import Curve
from webgym.errors import ConfigError
from webgym_nano.shipped import CURVE


def shipped_curve(path: Path = CURVE) -> Curve | None:
    """Read the shipped curve, as `webgym.curves.app.encoded` wrote it; None if there is none.

    Raises:
        ConfigError: The file cannot be read.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Curve)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
