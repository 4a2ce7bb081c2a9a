"""The files of a published checkpoint: found, read tensor by tensor, written so that others load them."""

# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false

from __future__ import annotations

import glob
import json
import logging
import os
import shutil
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from torch import Tensor

from webgym.errors import ModelError
from webgym.store.digest import files_digest

logger = logging.getLogger(__name__)

CONFIG = "config.json"
WEIGHTS = "model.safetensors"
INDEX = "model.safetensors.index.json"
CARRIED = (
    "tokenizer.json",
    "tokenizer_config.json",
    "vocab.json",
    "merges.txt",
    "added_tokens.json",
    "special_tokens_map.json",
    "chat_template.json",
    "chat_template.jinja",
    "preprocessor_config.json",
    "processor_config.json",
    "video_preprocessor_config.json",
    "generation_config.json",
)
"""What a server needs besides the weights; copied as it is."""


def find_model(name: str) -> Path:
    """The folder of a model: a folder, or a name on the Hugging Face hub, fetched if it is not here yet.

    Raises:
        ModelError: There is none.
    """
    folder = Path(name).expanduser()
    if not folder.is_dir() and name.count("/") == 1 and not name.startswith((".", "/", "~")):
        folder = _fetched(name)
    if not folder.is_dir():
        raise ModelError(f"{name} is neither a folder nor the name of a model on the hub")
    if not (folder / CONFIG).is_file():
        raise ModelError(f"{folder} has no config.json: is it a model?")
    weight_files(folder)
    return folder


def _fetched(name: str) -> Path:
    from huggingface_hub import snapshot_download  # noqa: PLC0415  slow to import
    from huggingface_hub.errors import HfHubHTTPError, HFValidationError, LocalEntryNotFoundError  # noqa: PLC0415

    logger.info("looking for %s on the hub: what is not in its cache yet is fetched, gigabytes for a large model", name)
    try:
        return Path(snapshot_download(name, allow_patterns=["*.json", "*.txt", "*.jinja", "*.safetensors"]))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise ModelError(f"{name} is no folder here and cannot be fetched from the hub: {error}") from None


def weight_files(folder: Path) -> list[Path]:
    """The files with its weights.

    Raises:
        ModelError: One is missing.
    """
    index = folder / INDEX
    names = [WEIGHTS]
    if index.is_file():
        try:
            names = sorted(set(json.loads(index.read_text())["weight_map"].values()))
        except (ValueError, KeyError, AttributeError):
            raise ModelError(f"{index} cannot be read") from None
    missing = [name for name in names if not (folder / name).is_file()]
    if missing:
        raise ModelError(f"{folder} lacks {', '.join(missing)}")
    return [folder / name for name in names]


def read_tensors(folder: Path) -> Iterator[tuple[str, Tensor]]:
    """Every tensor with its name, one at a time.

    Raises:
        ModelError: A file is missing or damaged.
    """
    opening: Any = safe_open
    for path in weight_files(folder):
        try:
            with opening(path, framework="pt") as opened:
                for name in opened.keys():  # noqa: SIM118  not a mapping
                    yield name, opened.get_tensor(name)
        except SafetensorError as error:
            raise ModelError(f"{path} is damaged: {error}") from None


def write_model(folder: Path, config: Any, tensors: Iterable[tuple[str, Tensor]], carried_from: Path | None) -> str:
    """A checkpoint, complete or not there at all; returns the digest of its weights.

    A folder of that name is replaced.
    """
    from huggingface_hub import save_torch_state_dict  # noqa: PLC0415  slow to import

    _clear(folder)
    with drafted_folder(folder.with_name(f".{folder.name}.{os.getpid()}")) as making:
        save_torch_state_dict(dict(tensors), making, metadata={"format": "pt"})
        _write_config(making, config, carried_from)
        for name in CARRIED:
            if carried_from is not None and (carried_from / name).is_file():
                shutil.copyfile(carried_from / name, making / name)
        for path in making.iterdir():
            sync(path)
        replace_folder(making, folder)
    return folder_digest(folder)


def _clear(folder: Path) -> None:
    """What killed processes left half-written: a model of some gigabytes, each time."""
    for path in folder.parent.glob(f".{glob.escape(folder.name)}.*"):
        if path.suffix == ".old" or path.suffix[1:].isdigit():
            shutil.rmtree(path, ignore_errors=True)


def _write_config(folder: Path, config: Any, carried_from: Path | None) -> None:
    """As it was where the model came from, but for the width of numbers.

    Written anew, it would be of this transformers' kind: older ones, and servers built on them, look for `rope_scaling`
    where newer ones have `rope_parameters`.
    """
    if carried_from is None or not (carried_from / CONFIG).is_file():
        config.save_pretrained(folder)
        return
    width = str(config.dtype).removeprefix("torch.")
    found: dict[str, Any] = json.loads((carried_from / CONFIG).read_text(encoding="utf-8"))
    for part in (found, found.get("text_config", {}), found.get("vision_config", {})):
        part.update({name: width for name in ("dtype", "torch_dtype") if name in part})
    if not {"dtype", "torch_dtype"} & found.keys():
        found["dtype"] = width
    (folder / CONFIG).write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")


@contextmanager
def drafted_folder(making: Path) -> Generator[Path]:
    """A folder to write into. Nothing of it stays if that fails: half a model would keep a full disk full."""
    making.mkdir(parents=True)
    try:
        yield making
    except BaseException:
        shutil.rmtree(making, ignore_errors=True)
        raise


def replace_folder(made: Path, folder: Path) -> None:
    """Rename, so that a crash leaves the old folder or the new one."""
    sync(made)
    old = folder.with_name(f".{folder.name}.old")
    if folder.exists():
        shutil.rmtree(old, ignore_errors=True)
        folder.rename(old)
    made.rename(folder)
    sync(folder.parent)
    shutil.rmtree(old, ignore_errors=True)


def sync(path: Path) -> None:
    """Safe from a crash of the machine."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def folder_digest(folder: Path) -> str:
    """Of the weights in a folder: SHA-256 over the bytes of their files, in the order of their names."""
    return files_digest(weight_files(folder))
