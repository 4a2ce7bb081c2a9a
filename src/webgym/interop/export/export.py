"""Exports a run to another format, completely or not at all."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Literal

from webgym.errors import ConfigError
from webgym.interop.export.atif import export_atif
from webgym.interop.export.messages import export_messages
from webgym.interop.export.parquet import export_parquet
from webgym.interop.export.pictures import Carrying, Pictures
from webgym.interop.export.selection import GRADED, ExportSummary, Selection
from webgym.interop.export.sharegpt import export_sharegpt
from webgym.records.trajectory import OutcomeKind
from webgym.store.read import Run

Format = Literal["messages", "sharegpt", "atif", "parquet"]
_WRITERS: dict[Format, Callable[[Selection, Path, Pictures], int]] = {
    "messages": export_messages,
    "sharegpt": export_sharegpt,
    "atif": export_atif,
    "parquet": export_parquet,
}


def export(
    run: Run,
    form: Format,
    out: Path,
    *,
    outcomes: Collection[OutcomeKind] = GRADED,
    carrying: Carrying | None = None,
) -> ExportSummary:
    """Write a run's attempts with these outcomes to a new folder.

    By default pictures are files, except in Parquet, which embeds them.

    Raises:
        ConfigError: The folder is not empty, or the format does not support embedded pictures.
    """
    carrying = carrying or ("embed" if form == "parquet" else "files")
    if form == "sharegpt" and carrying == "embed":
        raise ConfigError("ShareGPT samples name their images by path: leave out --images embed")
    if out.exists() and (not out.is_dir() or any(out.iterdir())):
        raise ConfigError(f"{out} already exists: choose a new folder for --out")
    draft = out.with_name(f"{out.name}.part")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    try:
        selection = Selection(run, outcomes)
        pictures = Pictures(run, draft, carrying)
        count = _WRITERS[form](selection, draft, pictures)
        if out.exists():
            out.rmdir()
        draft.rename(out)
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return ExportSummary(str(out), len(selection), count, pictures.count, dict(selection.left_out))
