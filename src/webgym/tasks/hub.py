"""Files of the Hugging Face hub: `hf://datasets/OWNER/NAME/PATH`, with `@REVISION` behind the name if wanted."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

from webgym.errors import ConfigError, TaskSetError

_REFERENCE = re.compile(r"hf://(?:datasets/)?(?P<repo>[^/@]+/[^/@]+)(?:@(?P<revision>[^/]+))?/(?P<path>.+)\Z", re.ASCII)


def is_hub(reference: str) -> bool:
    """Whether it is on the hub, rather than on this machine."""
    return reference.startswith("hf://")


def fetched(reference: str) -> Path:
    """The file on this machine, downloaded if it is not there yet.

    Raises:
        ConfigError: It is not written like that, or the library is missing.
        TaskSetError: It cannot be had.
    """
    match = _REFERENCE.match(reference)
    if match is None:
        raise ConfigError(f"{reference!r}: write hf://datasets/OWNER/NAME/PATH")
    hub = _library()
    try:
        found = hub.hf_hub_download(
            match["repo"], match["path"], repo_type="dataset", revision=match["revision"] or None
        )
    except (OSError, ValueError) as error:  # the library's errors are of these
        hint = "download it elsewhere, and name the file instead"
        raise TaskSetError(f"{reference} cannot be had: {_first_line(error)}; {hint}") from error
    return Path(found)


def local(reference: str) -> Path:
    """A path, or a file of the hub once it is here."""
    return fetched(reference) if is_hub(reference) else Path(reference)


def _library() -> Any:
    try:
        return importlib.import_module("huggingface_hub")
    except ModuleNotFoundError:
        raise ConfigError("hf:// needs huggingface_hub: pip install '.[tasks]' in a clone of WebGym") from None


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
