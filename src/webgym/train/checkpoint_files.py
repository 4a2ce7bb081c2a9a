"""Model checkpoints in the Hugging Face format: find them, read them tensor by tensor, write them."""

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
from webgym.store.weights_manner import MANNER_FILE

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
    MANNER_FILE,
)
"""Files that whoever samples from the weights needs besides them; copied unchanged."""
_NEW, _OLD, _GONE = ".new", ".old", ".gone"
"""Suffixes of folders that are to take a place, that were moved out of it, and that are being deleted."""


def find_model(name: str) -> Path:
    """Return the folder of a model: given as a folder, or as a Hugging Face Hub name, downloaded if needed.

    Raises:
        ModelError: There is no such model, or files are missing.
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

    logger.info("loading %s from the hub: files not cached yet are downloaded (gigabytes for a large model)", name)
    try:
        return Path(snapshot_download(name, allow_patterns=["*.json", "*.txt", "*.jinja", "*.safetensors"]))
    except (HfHubHTTPError, HFValidationError, LocalEntryNotFoundError, OSError) as error:
        raise ModelError(f"{name} is not a local folder and cannot be downloaded from the hub: {error}") from None


def weight_files(folder: Path) -> list[Path]:
    """Return the files that hold a model's weights.

    Raises:
        ModelError: One is missing, or the index cannot be read.
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
    """Yield every tensor with its name, one at a time.

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
    """Write a checkpoint atomically, replacing an existing folder; return the digest of its weights."""
    from huggingface_hub import save_torch_state_dict  # noqa: PLC0415  slow to import

    settle_folder(folder)
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


def _write_config(folder: Path, config: Any, carried_from: Path | None) -> None:
    """Copy the source model's config, changing only the dtype.

    A config saved by the installed transformers may not load elsewhere: older versions, and servers built on them, look
    for `rope_scaling` where newer ones have `rope_parameters`.
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
    """Create a folder to write into; delete it on failure, since half a model would keep a full disk full."""
    making.mkdir(parents=True)
    try:
        yield making
    except BaseException:
        shutil.rmtree(making, ignore_errors=True)
        raise


def replace_folder(made: Path, folder: Path) -> None:
    """Move `made` to `folder` by renaming; an old `folder` is moved aside first, then deleted.

    A kill at any point leaves a complete folder, which `settle_folder` finds: in its place, or with one of two names
    that only complete folders have.
    """
    sync(made)
    new = _beside(folder, _NEW)
    _delete(new, folder)
    made.rename(new)
    _put_in_place(folder)


def settle_folder(folder: Path) -> None:
    """Finish or undo what killed processes left of replacing `folder`, and delete what they left half-written."""
    if _beside(folder, _NEW).exists():
        _put_in_place(folder)
    elif _beside(folder, _OLD).exists() and not folder.exists():
        _beside(folder, _OLD).rename(folder)
    for path in folder.parent.glob(f".{glob.escape(folder.name)}.*"):
        if path.suffix in (_OLD, _GONE) or path.suffix[1:].isdigit():
            shutil.rmtree(path, ignore_errors=True)


def _put_in_place(folder: Path) -> None:
    if folder.exists():
        old = _beside(folder, _OLD)
        _delete(old, folder)
        folder.rename(old)
    _beside(folder, _NEW).rename(folder)
    sync(folder.parent)
    _delete(_beside(folder, _OLD), folder)


def delete_folder(folder: Path) -> None:
    """Delete a folder. What a kill leaves of it does not pass for complete, and `settle_folder` deletes it."""
    _delete(folder, folder)


def _delete(path: Path, folder: Path) -> None:
    """Delete `folder`, or one of the folders beside it, under the name of what is being deleted."""
    gone = _beside(folder, _GONE)
    shutil.rmtree(gone, ignore_errors=True)
    if path.exists():
        path.rename(gone)
        shutil.rmtree(gone, ignore_errors=True)


def _beside(folder: Path, suffix: str) -> Path:
    return folder.with_name(f".{folder.name}{suffix}")


def sync(path: Path) -> None:
    """Flush a file or folder to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def folder_digest(folder: Path) -> str:
    """Return the SHA-256 over the bytes of the weight files in a folder, in order of file name."""
    return files_digest(weight_files(folder))
