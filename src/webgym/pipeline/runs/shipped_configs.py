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
    found = shipped_configs()
    if path.stem not in found:
        those = f"configurations that ship with WebGym: {', '.join(found)}; `webgym configs` says what each is for"
        raise ConfigError(f"{path} is not there; {those}")
    return found[path.stem]


def shipped_configs() -> dict[str, Path]:
    """All of them, by name."""
    return {one.stem: one for folder in _FOLDERS for one in sorted(folder.glob("*.toml"))}


def first_comment(file: Path) -> str:
    """What a configuration says of itself first, without the colon before its command; empty if nothing."""
    lines = file.read_text("utf-8").splitlines()
    return next((line.removeprefix("#").removesuffix(":").strip() for line in lines if line.startswith("#")), "")
