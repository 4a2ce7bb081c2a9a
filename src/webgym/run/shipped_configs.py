"""The configurations that ship with the package, in `configs/` of a clone or of the wheel."""

from __future__ import annotations

import difflib
from pathlib import Path

from webgym.errors import ConfigError

_PACKAGE = Path(__file__).parents[1]
_FOLDERS = (_PACKAGE / "configs", _PACKAGE.parents[1] / "configs")


def find_config(path: Path) -> Path:
    """Return the file itself, or the shipped configuration of this name, such as `train-nano`.

    Raises:
        ConfigError: A plain name is neither a file nor a shipped configuration.
    """
    if path.exists() or len(path.parts) > 1 or path.suffix not in ("", ".toml"):
        return path
    found = shipped_configs()
    if path.stem not in found:
        if near := difflib.get_close_matches(path.stem, found, n=1):
            raise ConfigError(f"{path} does not exist; did you mean {near[0]}? `webgym configs` lists all that ship")
        those = f"configurations that ship with WebGym: {', '.join(found)}; `webgym configs` says what each is for"
        raise ConfigError(f"{path} does not exist; {those}")
    return found[path.stem]


def shipped_configs() -> dict[str, Path]:
    """Return all shipped configurations by name."""
    return {one.stem: one for folder in _FOLDERS for one in sorted(folder.glob("*.toml"))}


def first_comment(file: Path) -> str:
    """Return the first comment line of a configuration, without a trailing colon; empty if there is none."""
    lines = file.read_text("utf-8").splitlines()
    return next((line.removeprefix("#").removesuffix(":").strip() for line in lines if line.startswith("#")), "")
