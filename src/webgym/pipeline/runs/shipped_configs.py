"""The configurations that ship with the package: `configs/` of a clone, and of the wheel."""

from __future__ import annotations

from pathlib import Path

from webgym.errors import ConfigError

_PACKAGE = Path(__file__).parents[2]
_FOLDERS = (_PACKAGE / "configs", _PACKAGE.parents[1] / "configs")


def find_config(path: Path) -> Path:
    """The file itself, or the shipped one that is called so: `train-nano`.

    Raises:
        ConfigError: Neither is there.
    """
    if path.exists() or len(path.parts) > 1 or path.suffix not in ("", ".toml"):
        return path
    found = {one.stem: one for folder in _FOLDERS for one in sorted(folder.glob("*.toml"))}
    if path.stem not in found:
        raise ConfigError(f"{path} is not there; configurations that ship with WebGym: {', '.join(found)}")
    return found[path.stem]
