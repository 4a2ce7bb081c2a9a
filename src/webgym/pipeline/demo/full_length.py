"""The curve of a training run at full length, as it ships with the package."""

from __future__ import annotations

from pathlib import Path

import msgspec

from webgym.curves.app import Curve
from webgym.errors import ConfigError
from webgym.nano.shipped import CURVE


def shipped_curve(path: Path = CURVE) -> Curve | None:
    """What `webgym.curves.app.encoded` made of it; None if none is shipped.

    Raises:
        ConfigError: It cannot be read.
    """
    try:
        return msgspec.json.decode(path.read_bytes(), type=Curve)
    except FileNotFoundError:
        return None
    except (OSError, msgspec.DecodeError) as error:
        raise ConfigError(f"{path} cannot be read: {error}") from error
