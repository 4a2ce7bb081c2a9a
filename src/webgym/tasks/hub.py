"""Files on the Hugging Face Hub: `hf://datasets/OWNER/NAME/PATH`, optionally with `@REVISION` after the name."""

from __future__ import annotations

import importlib
import re
from pathlib import Path
from typing import Any

from webgym.errors import ConfigError, TaskSetError

_REFERENCE = re.compile(r"hf://(?:datasets/)?(?P<repo>[^/@]+/[^/@]+)(?:@(?P<revision>[^/]+))?/(?P<path>.+)\Z", re.ASCII)


def is_hub(reference: str) -> bool:
    """Whether the reference points to the Hub rather than to a local file."""
    return reference.startswith("hf://")


def fetched(reference: str) -> Path:
    """Return the local path of a Hub file, downloading it if necessary.

    Raises:
        ConfigError: The reference is malformed, or huggingface_hub is missing.
        TaskSetError: The download failed.
    """
    match = _REFERENCE.match(reference)
    if match is None:
        raise ConfigError(f"{reference!r}: write hf://datasets/OWNER/NAME/PATH")
    hub = _library()
    try:
        found = hub.hf_hub_download(
            match["repo"], match["path"], repo_type="dataset", revision=match["revision"] or None
        )
    except (OSError, ValueError) as error:  # the library's errors derive from these
        hint = "download it by other means and pass the file instead"
        raise TaskSetError(f"{reference} cannot be downloaded: {_first_line(error)}; {hint}") from error
    return Path(found)


def local(reference: str) -> Path:
    """Return a local path, downloading from the Hub if necessary."""
    return fetched(reference) if is_hub(reference) else Path(reference)


def _library() -> Any:
    try:
        return importlib.import_module("huggingface_hub")
    except ModuleNotFoundError:
        raise ConfigError("hf:// needs huggingface_hub: pip install '.[tasks]' in a clone of WebGym") from None


def _first_line(error: Exception) -> str:
    return (str(error).strip().splitlines() or [type(error).__name__])[0]
